import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '#catalog/items/item.ts';
import { migrate } from '#core/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { saveItems } from '../test/example-items.ts';
import { startPostgres } from '../test/postgres.ts';
import type { LoadOrder } from './catalog/load.ts';
import { neverRepeatingMix } from './catalog/mixes.ts';
import { type Measured, type Server, startLoad, startServer } from './catalog/processes.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * The program in one thread, in two threads and in two processes, turn by turn in one run: catalog queries that nobody
 * asked before. `node bench/threads.ts [listings]`. What counts is processor time a request against one thread's in the
 * same round, each after so many requests that its code is compiled and its conditions are known, and each thread at the
 * same pace: the less a thread has to do, the colder it finds the processor's caches, however many there are. As fast as
 * they can, two threads and the load generator want more than two cores.
 */
const COUNT = Number(process.argv[2] ?? 50_000);
/** Many and short: what else the machine does meets all three alike. */
const ROUNDS = 40;
/** Many connections, since the kernel deals them out to threads by chance. */
const LOAD = { connections: 32, repeat: false };
const WARM_UP = { paths: 100_000, duration_ms: 60_000 };
const PACED = { paths: 4_000, duration_ms: 400 };
const FAST = { paths: 8_000, duration_ms: 300 };
/** Of each thread. */
const PER_SECOND = 4_000;
const GOAL = 1.15;
const FLAGS = ['--import', './src/app/compile-cache.mjs', '--max-semi-space-size=2'];

interface Way {
  name: string;
  threads: number;
  servers: Server[];
}

/** At the pace, and as fast as it is answered. */
type Round = Record<'paced' | 'fast', Measured>;

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const items = syntheticItems(COUNT, runningWords());
const mix = neverRepeatingMix(WARM_UP.paths + ROUNDS * (PACED.paths + FAST.paths), items);
const load = await startLoad();
const rows: Record<string, Record<string, string | number>> = {};

const sqlite = join(dir, 'capstan.db');
await fill({ engine: 'sqlite', path: sqlite, thread: 'same' }, items);
// Each process has a copy: SQLite is for one process.
await compare('SQLite', async (process) => {
  const dataDir = join(dir, process);
  await mkdir(dataDir);
  await copyFile(sqlite, join(dataDir, 'capstan.db'));
  return { DATA_DIR: dataDir };
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
  const ways: Way[] = [
    { name: '1 thread', threads: 1, servers: [await start('one', 1)] },
    { name: '2 threads', threads: 2, servers: [await start('threads', 2)] },
    { name: '2 processes', threads: 2, servers: [await start('first', 1), await start('second', 1)] },
  ];
  const measured = ways.map((): Round[] => []);
  const ask = async (servers: Server[], order: Pick<LoadOrder, 'paths' | 'duration_ms' | 'per_second'>) => {
    const result = await load.measure(servers, { ...LOAD, ...order });
    if (result.failed > 0) throw new Error(`${engine}: ${result.failed} answers failed`);
    return result;
  };
  for (const { servers } of ways) await ask(servers, { ...WARM_UP, paths: mix.slice(0, WARM_UP.paths) });
  for (let round = 0; round < ROUNDS; round++) {
    const at = WARM_UP.paths + round * (PACED.paths + FAST.paths);
    const paced = { ...PACED, paths: mix.slice(at, at + PACED.paths) };
    const fast = { ...FAST, paths: mix.slice(at + PACED.paths, at + PACED.paths + FAST.paths) };
    for (let turn = 0; turn < ways.length; turn++) {
      // Each is the first as often as the others: who comes first finds the processor's caches as the last one left them.
      const way = (round + turn) % ways.length;
      const { servers, threads } = ways[way] as Way;
      measured[way]?.push({
        paced: await ask(servers, { ...paced, per_second: threads * PER_SECOND }),
        fast: await ask(servers, fast),
      });
    }
  }
  for (const [way, { name, servers }] of ways.entries()) {
    rows[`${engine}, ${name}`] = rowOf(measured[way] as Round[], measured[0] as Round[], await memoryOf(servers));
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function rowOf(results: Round[], one: Round[], bytes: number): Record<string, string | number> {
  const against = (pace: keyof Round): number =>
    median(results.map((result, round) => result[pace].cpu_us / (one[round] as Round)[pace].cpu_us));
  const ratio = against('paced');
  return {
    'µs CPU a request': round1(median(results.map(({ paced }) => paced.cpu_us))),
    'against 1 thread': `${ratio.toFixed(2)}${ratio <= GOAL ? '' : ` (goal ${GOAL})`}`,
    'p99 ms': round1(median(results.map(({ paced }) => paced.p99_ms))),
    'µs, fast': round1(median(results.map(({ fast }) => fast.cpu_us))),
    'against 1, fast': against('fast').toFixed(2),
    'requests/s, fast': Math.round(median(results.map(({ fast }) => fast.per_second))),
    MB: Math.round(bytes / 1e6),
  };
}

async function memoryOf(servers: Server[]): Promise<number> {
  const usages = await Promise.all(servers.map((server) => server.usage()));
  return usages.reduce((sum, { pss }) => sum + pss, 0);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
