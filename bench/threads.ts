import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '../src/features/registry/item.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '../src/platform/db/open.ts';
import { saveItems } from '../test/example-items.ts';
import { startPostgres } from '../test/postgres.ts';
import { neverRepeatingMix } from './catalog/mixes.ts';
import { type Measured, type Server, startLoad, startServer } from './catalog/processes.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * The program in one thread, in two threads and in two processes, turn by turn in one run: catalogue queries that nobody
 * asked before. `node bench/threads.ts [listings]`. What counts is processor time a request against one thread's in the
 * same round, each after so many requests that its code is compiled and its conditions are known.
 */
const COUNT = Number(process.argv[2] ?? 50_000);
/** Many and short: what else the machine does meets all three alike. */
const ROUNDS = 42;
/** Many connections, since the kernel deals them out to threads by chance. */
const LOAD = { connections: 32, repeat: false };
const WARM_UP = { paths: 100_000, duration_ms: 60_000 };
const ROUND = { paths: 8_000, duration_ms: 400 };
const GOAL = 1.15;
const FLAGS = ['--import', './src/compile-cache.mjs', '--max-semi-space-size=2'];

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const items = syntheticItems(COUNT, runningWords());
const mix = neverRepeatingMix(WARM_UP.paths + ROUNDS * ROUND.paths, items);
const load = await startLoad();
const rows: Record<string, Record<string, string | number>> = {};

const sqlite = join(dir, 'capstan.db');
await fill({ engine: 'sqlite', path: sqlite, thread: 'same' }, items);
// Each process has a copy: SQLite is for one process.
await compare('SQLite', async (process) => {
  const data_dir = join(dir, process);
  await mkdir(data_dir);
  await copyFile(sqlite, join(data_dir, 'capstan.db'));
  return { DATA_DIR: data_dir };
});

const postgres = await startPostgres();
await fill({ engine: 'postgres', url: postgres.url, pool_size: 1 }, items);
await compare('PostgreSQL', async (process) => ({ DATA_DIR: join(dir, `pg-${process}`), DATABASE_URL: postgres.url }));
await postgres.stop();

console.table(rows);
await load.stop();
await rm(dir, { recursive: true });

async function fill(config: DatabaseConfig, listings: Item[]): Promise<void> {
  const database = await openDatabase(config);
  await migrate(database);
  await saveItems(database.db, listings);
  await database.close();
}

async function compare(engine: string, settingsOf: (process: string) => Promise<Record<string, string>>) {
  const start = async (process: string, threads: number): Promise<Server> => {
    const settings = { CAPSTAN_THREADS: `${threads}`, ...(await settingsOf(process)) };
    return startServer('../threads/serve-program.ts', [JSON.stringify(settings)], FLAGS);
  };
  const ways: [string, Server[]][] = [
    ['1 thread', [await start('one', 1)]],
    ['2 threads', [await start('threads', 2)]],
    ['2 processes', [await start('first', 1), await start('second', 1)]],
  ];
  const measured = ways.map((): Measured[] => []);
  const ask = async (servers: Server[], paths: string[], duration_ms: number): Promise<Measured> => {
    const result = await load.measure(servers, { ...LOAD, paths, duration_ms });
    if (result.failed > 0) throw new Error(`${engine}: ${result.failed} answers failed`);
    return result;
  };
  for (const [, servers] of ways) await ask(servers, mix.slice(0, WARM_UP.paths), WARM_UP.duration_ms);
  for (let round = 0; round < ROUNDS; round++) {
    const at = WARM_UP.paths + round * ROUND.paths;
    const paths = mix.slice(at, at + ROUND.paths);
    for (let turn = 0; turn < ways.length; turn++) {
      // Each is the first as often as the others: who comes first finds the processor's caches as the last one left them.
      const way = (round + turn) % ways.length;
      measured[way]?.push(await ask(ways[way]?.[1] as Server[], paths, ROUND.duration_ms));
    }
  }
  for (const [way, [name, servers]] of ways.entries()) {
    rows[`${engine}, ${name}`] = rowOf(measured[way] as Measured[], measured[0] as Measured[], await memoryOf(servers));
    await Promise.all(servers.map((it) => it.stop()));
  }
}

function rowOf(results: Measured[], one: Measured[], bytes: number): Record<string, string | number> {
  const ratio = median(results.map(({ cpu_us }, round) => cpu_us / (one[round] as Measured).cpu_us));
  return {
    'µs CPU a request': round1(median(results.map((it) => it.cpu_us))),
    'against 1 thread': `${ratio.toFixed(2)}${ratio <= GOAL ? '' : ` (goal ${GOAL})`}`,
    'requests/s': Math.round(median(results.map((it) => it.per_second))),
    'p99 ms': round1(median(results.map((it) => it.p99_ms))),
    MB: Math.round(bytes / 1e6),
  };
}

async function memoryOf(servers: Server[]): Promise<number> {
  const usages = await Promise.all(servers.map((it) => it.usage()));
  return usages.reduce((sum, { pss }) => sum + pss, 0);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
