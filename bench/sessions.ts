import { systemClock } from '../src/platform/clock.ts';
import { openHeldSession } from '../src/platform/mcp/held-session.ts';
import { createOutbound } from '../src/platform/outbound.ts';
import { accountsOf } from '../test/accounts.ts';
import { startMcpFake, textResult } from '../test/fakes/mcp-server.ts';
import { openWorld } from '../test/world.ts';

/**
 * One tool of one server on loopback, called in turn by a client that holds a session with it, and by one that asks
 * the service over HTTP: token, database, checks of arguments and trace included. What the second takes more is ours.
 */
const WARM_UP = 300;
const CALLS = 1_500;
const GOAL_MS = 3;

const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] };
const tool = { name: 'echo', inputSchema, call: ({ text }: Record<string, unknown>) => textResult(String(text)) };
const outbound = createOutbound({ allow_loopback: true, user_agent: 'bench' });
const world = await openWorld();
const { url } = await world.listen();
const account = await (await accountsOf(world, systemClock)).signUp();
const api_key = await account.newApiKey(['read', 'write']);
const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };

const rows: Record<string, Record<string, number>> = {};
let worst_ms = 0;
for (const era of ['modern', 'sessions'] as const) {
  const fake = await startMcpFake([tool], { era });
  const [direct, proxied] = [await directly(fake.url), await throughService(fake.url)];
  const times = { direct: [] as number[], proxied: [] as number[] };
  for (let n = 0; n < WARM_UP + CALLS; n++)
    for (const [name, call] of [
      ['direct', direct],
      ['proxied', proxied],
    ] as const) {
      const started = performance.now();
      await call(`text ${n}`);
      if (n >= WARM_UP) times[name].push(performance.now() - started);
    }
  for (const name of ['direct', 'proxied'] as const)
    rows[`${era}, ${name}`] = { 'ms (median)': at(times[name], 0.5), 'ms (p99)': at(times[name], 0.99) };
  worst_ms = Math.max(worst_ms, at(times.proxied, 0.5) - at(times.direct, 0.5));
  await fake.close();
}
console.table(rows);
console.log(
  `goal: at most ${GOAL_MS} ms more at the median: ${worst_ms.toFixed(2)} ms, ${worst_ms <= GOAL_MS ? 'met' : 'missed'}`,
);
await world.close();
await outbound.close();
process.exit(worst_ms <= GOAL_MS ? 0 : 1);

async function directly(server: string) {
  const limits = { timeout_ms: 10_000, max_bytes: 1_000_000 };
  const target = { url: server, transport: 'streamable-http' } as const;
  const opened = await openHeldSession({ fetch: outbound.fetch, target, limits, on_tools_changed: () => {} });
  if (!opened.ok) throw new Error(opened.failure.detail);
  const { session } = opened;
  return async (text: string) => {
    const answer = await session.work(limits, null, (it) => it.callTool({ tool, arguments: { text } }));
    if (!answer.ok) throw new Error(answer.failure.detail);
  };
}

async function throughService(server: string) {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const said = (await answer.json()) as { id: string };
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return said;
  };
  const { id } = await ask('/api/sessions/connections', { url: server });
  return (text: string) => ask(`/api/sessions/connections/${id}/tools/call`, { tool: 'echo', arguments: { text } });
}

function at(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] as number).toFixed(3));
}
