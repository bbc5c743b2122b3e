import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { saveItems } from '../test/example-items.ts';
import { startOtlpReceiver } from '../test/fakes/otlp-receiver.ts';
import { hotMix, neverRepeatingMix } from './catalog/mixes.ts';
import { type Server, startLoad, startServer } from './catalog/processes.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * What tracing costs a request of the catalog: without a collector, with one in a hundred requests sampled, and with all.
 * `node bench/tracing.ts [listings] [tree]`: against the tree of another version in their place, both without a collector.
 */
const COUNT = Number(process.argv[2] ?? 20_000);
const OTHER = process.argv[3];
const ROUND = { connections: 8, duration_ms: 1_500 };
const ROUND_PATHS = 30_000;
const ROUNDS = OTHER === undefined ? 6 : 12;

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const words = runningWords();
const items = syntheticItems(COUNT, words);
const hot = hotMix(words);
const cold = neverRepeatingMix(1_500_000, items);
const path = join(dir, 'capstan.db');
const database = await openDatabase({ engine: 'sqlite', path, thread: 'same' });
await migrate(database);
await saveItems(database.db, items);

await using collector = await startOtlpReceiver();
const ours = './serve-capstan.ts';
const others: Record<string, string[]> =
  OTHER === undefined ? { 'one in a hundred': [collector.url, '0.01'], all: [collector.url] } : {};
const servers: [string, Server][] = [['no collector', await startServer(ours, [path])]];
for (const [name, args] of Object.entries(others)) servers.push([name, await startServer(ours, [path, ...args])]);
if (OTHER !== undefined)
  servers.push(['the other tree', await startServer(join(OTHER, 'bench/catalog/serve-capstan.ts'), [path])]);
const load = await startLoad();
const cpuUs = new Map<string, { hot: number[]; cold: number[] }>();
let used = 0;
// Turn by turn, so that whatever else the machine does meets all. The first round warms up.
for (let round = 0; round <= ROUNDS; round++)
  for (const [name, server] of servers) {
    const measure = async (paths: string[], repeat: boolean) =>
      (await load.measure(server, { ...ROUND, paths, repeat })).cpu_us;
    const [ofHot, ofCold] = [await measure(hot, true), await measure(cold.slice(used, used + ROUND_PATHS), false)];
    used += ROUND_PATHS;
    collector.spans.length = 0;
    const both = cpuUs.get(name) ?? { hot: [], cold: [] };
    cpuUs.set(name, both);
    if (round === 0) continue;
    both.hot.push(ofHot);
    both.cold.push(ofCold);
  }
function us(each: number[]) {
  const sorted = each.toSorted((a, b) => a - b);
  return { best: Number(sorted[0]?.toFixed(1)), middle: Number(sorted[Math.floor(sorted.length / 2)]?.toFixed(1)) };
}
const rows = [...cpuUs].map(([name, { hot, cold }]) => {
  const [again, never] = [us(hot), us(cold)];
  return {
    '': name,
    'repeated µs': again.best,
    'middle µs': again.middle,
    'never repeated µs': never.best,
    'middle of those µs': never.middle,
  };
});
console.log('processor time a request, the best and the middle round');
console.table(rows);
await Promise.all([...servers.map(([, server]) => server.stop()), load.stop()]);
await database.db.destroy();
await rm(dir, { recursive: true });
