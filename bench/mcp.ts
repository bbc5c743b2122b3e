import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, type Server, startLoad, startServer } from './catalog/processes.ts';
import { runningWords } from './catalog/synthetic.ts';

/**
 * `tools/call registry_search` without a token, against the library alone with the same results from memory: its
 * low-level server, and its high-level one with as many tools. Side by side in one run; ratios count.
 */
const LISTINGS = 5_000;
const ROUND = { connections: 8, duration_ms: 2_000, repeat: true, paths: [] };
const ROUNDS = 3;
const GOAL = 1_000;

const words = runningWords();
const bodies = Array.from({ length: 500 }, (_, n) =>
  rpc('tools/call', {
    name: 'registry_search',
    arguments: { query: `${words[n % words.length]} ${words[(n * 7) % 50]}` },
  }),
);
const raw = bodies.map((body) =>
  [
    'POST /mcp/jsonrpc HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n'),
);

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const ours = await startServer('../mcp/serve-capstan.ts', [`${LISTINGS}`]);
const file = join(dir, 'recorded.json');
await writeFile(file, JSON.stringify(await record(ours)));
const servers = {
  'capstan, all its tools': ours,
  'library, low-level': await startServer('../mcp/serve-bare.ts', ['low', file]),
  'library, high-level': await startServer('../mcp/serve-bare.ts', ['high', file]),
};
const load = await startLoad();

const rounds: Record<string, Measured[]> = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; round++)
  for (const [name, server] of Object.entries(servers)) {
    const measured = await load.measure(server, { ...ROUND, raw });
    if (measured.failed > 0) throw new Error(`${name}: ${measured.failed} calls failed`);
    // The first round warms up.
    if (round > 0) rounds[name]?.push(measured);
  }

const middle = (name: string): Measured =>
  (rounds[name] as Measured[]).toSorted((a, b) => a.cpu_us - b.cpu_us)[Math.floor(ROUNDS / 2)] as Measured;
const perCore = (own: Measured): number => 1_000_000 / own.cpu_us;
const own = middle('capstan, all its tools');
console.table(
  Object.fromEntries(
    Object.keys(servers).map((name) => {
      const median = middle(name);
      return [
        name,
        {
          'calls/s on one core': Math.round(perCore(median)),
          'calls/s': Math.round(median.per_second),
          'p50 ms': Number(median.p50_ms.toFixed(2)),
          'p99 ms': Number(median.p99_ms.toFixed(2)),
          'ours to it': Number((perCore(own) / perCore(median)).toFixed(2)),
        },
      ];
    }),
  ),
);
const met = perCore(own) >= GOAL;
console.log(`goal: ${GOAL} calls/s on one core: ${Math.round(perCore(own))}, ${met ? 'met' : 'missed'}`);
await Promise.all([...Object.values(servers).map((server) => server.stop()), load.stop()]);
await rm(dir, { recursive: true, force: true });
process.exit(met ? 0 : 1);

function rpc(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** What ours answers, for the others to answer too. */
async function record({ port }: Server) {
  const ask = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/mcp/jsonrpc`, { method: 'POST', headers, body });
    const { result } = (await answer.json()) as { result: { isError?: boolean; tools: object[] } };
    if (result === undefined || result.isError === true) throw new Error(`${body} failed: ${JSON.stringify(result)}`);
    return result;
  };
  const results: Record<string, object> = {};
  for (const body of bodies) results[body] = await ask(body);
  return { results, tools: (await ask(rpc('tools/list'))).tools };
}
