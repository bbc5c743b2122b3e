import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { defined } from '#core/defined.ts';
import { openHeldSession } from '#core/mcp/held-session.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { startMcpFake, textResult } from '../test/fakes/mcp-server.ts';

/**
 * One tool of one server on loopback, called in turn by a client that holds a session with it, and by one that asks
 * the service over HTTP: token, database, checks of arguments and trace included. What the second takes more is ours.
 * The service is a separate process; other checkouts of it may be named, to be measured in the same run. Their
 * processor time is of all their threads, and says more than the clock where other work shares the cores.
 */
const WARM_UP = 300;
const CALLS = 1_500;
const GOAL_MS = 2;
/** As `npm start` has them. */
const FLAGS = ['--max-semi-space-size=2'];

const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] };
const tool = { name: 'echo', inputSchema, call: ({ text }: Record<string, unknown>) => textResult(String(text)) };
const outbound = createOutbound({ allow_loopback: true, user_agent: 'bench' });
const agent = new Agent({ keepAlive: true });
const roots = ['.', ...process.argv.slice(2)];
const services = await Promise.all(roots.map(startService));

const rows: Record<string, Record<string, number>> = {};
let worstMs = 0;
for (const era of ['modern', 'sessions'] as const) {
  const fake = await startMcpFake([tool], { era });
  const ways = [
    await directly(fake.url),
    ...(await Promise.all(services.map((service) => throughService(service, fake.url)))),
  ];
  const times = ways.map((): number[] => []);
  let beforeMs: number[] = [];
  for (let n = 0; n < WARM_UP + CALLS; n++) {
    if (n === WARM_UP) beforeMs = services.map(cpuOf);
    for (const [at, call] of ways.entries()) {
      const started = performance.now();
      await call(`text ${n}`);
      if (n >= WARM_UP) times[at]?.push(performance.now() - started);
    }
  }
  const cpuMs = services.map((service, at) => (cpuOf(service) - (beforeMs[at] as number)) / CALLS);
  const [direct = [], proxied = []] = times;
  for (const [at, taken] of times.entries())
    rows[`${era}, ${at === 0 ? 'direct' : `proxied${at === 1 ? '' : ` by ${roots[at - 1]}`}`}`] = {
      'ms (median)': share(taken, 0.5),
      'ms (p99)': share(taken, 0.99),
      ...defined({ 'processor ms': at === 0 ? undefined : Number((cpuMs[at - 1] as number).toFixed(3)) }),
    };
  worstMs = Math.max(worstMs, share(proxied, 0.5) - share(direct, 0.5));
  await fake.close();
}
console.table(rows);
console.log(
  `goal: at most ${GOAL_MS} ms more at the median: ${worstMs.toFixed(2)} ms, ${worstMs <= GOAL_MS ? 'met' : 'missed'}`,
);
for (const { child } of services) {
  child.disconnect();
  await once(child, 'exit');
}
await outbound.close();
process.exit(worstMs <= GOAL_MS ? 0 : 1);

async function startService(root: string) {
  const path =
    root === '.' ? new URL('./sessions/service.ts', import.meta.url).pathname : `${root}/bench/sessions/service.ts`;
  const child = fork(path, { execArgv: FLAGS, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line');
  return { ...(JSON.parse(line) as { url: string; api_key: string }), child };
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Milliseconds of the process's work by now, all threads; in hundredths of a second, as Linux counts them. */
function cpuOf({ child }: { child: ChildProcess }): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user as number) + (system as number)) * 10;
}

async function directly(server: string) {
  const limits = { timeout_ms: 10_000, max_bytes: 1_000_000 };
  const target = { url: server, transport: 'streamable-http' } as const;
  const opened = await openHeldSession({ fetch: outbound.fetch, target, limits, on_tools_changed: () => {} });
  if (!opened.ok) throw new Error(opened.failure.detail);
  const { session } = opened;
  return async (text: string) => {
    const answer = await session.work(limits, null, ({ callTool }) => callTool({ tool, arguments: { text } }));
    if (!answer.ok) throw new Error(answer.failure.detail);
  };
}

async function throughService({ url, api_key, child }: Service, server: string) {
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const ask = async (path: string, body: object) => {
    const sent = request(`${url}${path}`, { method: 'POST', headers, agent }).end(JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    const said = await text(answer);
    if (answer.statusCode >= 300) throw new Error(said);
    return JSON.parse(said) as { id: string };
  };
  // By a listing, as most are: whether it was taken down is looked at with each call.
  child.send({ server });
  const [listing] = await once(child, 'message');
  const { id } = await ask('/api/sessions/connections', { listing });
  return (text: string) => ask(`/api/sessions/connections/${id}/tools/call`, { tool: 'echo', arguments: { text } });
}

function share(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * part)] as number).toFixed(3));
}
