import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Item } from '#catalog/items/item.ts';
import { migrate } from '#core/db/migrate.ts';
import { type Database, openDatabase } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import { saveItems } from '../test/example-items.ts';
import { startPostgres } from '../test/postgres.ts';
import { fillPostgres } from './catalog/fill-postgres.ts';
import { hotMix, neverRepeatingMix } from './catalog/mixes.ts';
import { type Measured, type Server, startLoad, startServer } from './catalog/processes.ts';
import type { RecordedAnswer } from './catalog/serve-bare.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * The registry list against a bare `node:http` server with the same bytes and against PostgreSQL's full-text search,
 * side by side in one run. `node bench/catalog.ts [listings]`; ratios count, absolute numbers depend on the machine.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
const ROUND = { connections: 8, duration_ms: 2_000 };
/** More than are asked in a round, as a rule; else the round ends with the last one. */
const ROUND_PATHS = 40_000;
const ROUNDS = 3;
const UPSERT = 1_000;

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const words = runningWords();
const items = syntheticItems(COUNT, words);
const hot = hotMix(words);
const cold = neverRepeatingMix(500_000, items);
let used = 0;
/** Queries that were not asked before. */
function fresh(count: number): string[] {
  used += count;
  return cold.slice(used - count, used);
}

const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
await migrate(database);
await saveItems(database.db, items);
const ours = await startServer('./serve-capstan.ts', [join(dir, 'capstan.db')]);
const load = await startLoad();
const bare = await startServer('./serve-bare.ts', [await recordAnswers(ours)]);

const rows: Record<string, Record<string, string | number>> = {};
const [oursHot, bareHot] = await alternate(ours, bare, { paths: () => hot, repeat: true });
addRatio('hot mix', oursHot, bareHot);
const [oursCold, bareCold] = await alternate(ours, bare, { paths: () => fresh(ROUND_PATHS), repeat: false });
addRatio('never-repeating mix', oursCold, bareCold);
await compareWithPostgres(oursCold);
await upsertWhileServing();
console.table(rows);

await Promise.all([ours.stop(), bare.stop(), load.stop()]);
await database.db.destroy();
await rm(dir, { recursive: true });

/** What the bare server sends, headers and bodies: each hot answer under its path, and a sample of the others. */
async function recordAnswers({ port }: Server): Promise<string> {
  const get = async (path: string): Promise<RecordedAnswer> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': 'identity' } });
    // node:http adds the same default headers there.
    const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
    return { path, headers: headers.flat(), body: await answer.text() };
  };
  const known: RecordedAnswer[] = [];
  for (const path of new Set(hot)) known.push(await get(path));
  const others: RecordedAnswer[] = [];
  for (const path of fresh(1_500)) others.push(await get(path));
  const file = join(dir, 'answers.json');
  await writeFile(file, JSON.stringify([known, others]));
  return file;
}

interface Asked {
  paths(): string[];
  repeat: boolean;
}

/** Turn by turn, so that whatever else the machine does meets both; the round in the middle counts. */
async function alternate(a: Server, b: Server, asked: Asked): Promise<[Measured, Measured]> {
  const results: [Measured[], Measured[]] = [[], []];
  const measure = (server: Server) => load.measure(server, { ...ROUND, paths: asked.paths(), repeat: asked.repeat });
  for (let round = 0; round <= ROUNDS; round++) {
    const [ofA, ofB] = [await measure(a), await measure(b)];
    // The first warms up.
    if (round > 0)
      [results[0], results[1]] = [
        [...results[0], ofA],
        [...results[1], ofB],
      ];
  }
  return [middle(results[0]), middle(results[1])];
}

function middle(results: Measured[]): Measured {
  const sorted = results.toSorted((a, b) => a.per_second - b.per_second);
  return sorted[Math.floor(sorted.length / 2)] as Measured;
}

function addRatio(name: string, mine: Measured, other: Measured, against = 'bare node:http'): void {
  if (mine.failed + other.failed > 0) throw new Error(`${name}: ${mine.failed} and ${other.failed} answers failed`);
  rows[name] = {
    against,
    ratio: round2(mine.per_second / other.per_second),
    ...defined({ 'ratio by CPU': Number.isNaN(other.cpu_us) ? undefined : round2(other.cpu_us / mine.cpu_us) }),
    'ours/s': Math.round(mine.per_second),
    'other/s': Math.round(other.per_second),
    'ours µs': Math.round(mine.cpu_us),
    ...defined({ 'other µs': Number.isNaN(other.cpu_us) ? undefined : Math.round(other.cpu_us) }),
    'ours p99 ms': round2(mine.p99_ms),
    'other p99 ms': round2(other.p99_ms),
  };
}

async function compareWithPostgres(mine: Measured): Promise<void> {
  const postgres = await startPostgres();
  try {
    await fillPostgres(postgres.url, items);
    const server = await startServer('./serve-postgres.ts', [postgres.url]);
    await load.measure(server, { ...ROUND, paths: fresh(3_000), repeat: false });
    const theirs = await load.measure(server, { ...ROUND, duration_ms: 5_000, paths: fresh(5_000), repeat: false });
    // Its processor time is the database's, which is not counted here.
    addRatio('never-repeating mix ', mine, { ...theirs, cpu_us: Number.NaN }, 'Fastify + PostgreSQL full-text search');
    await server.stop();
  } finally {
    await postgres.stop();
  }
}

/** Two connections leave the machine some room, as in service; at its limit every added work waits. */
async function upsertWhileServing(): Promise<void> {
  const order = { connections: 2, duration_ms: 4_000, repeat: false };
  const quiet = await load.measure(ours, { ...order, paths: fresh(60_000) });
  const upserts = upsertEverySecond(database, items);
  const busy = await load.measure(ours, { ...order, paths: fresh(60_000) });
  await upserts.stop();
  const added = busy.p99_ms - quiet.p99_ms;
  rows[`p99 while ${UPSERT} listings are upserted every second`] = {
    'ours p99 ms': round2(busy.p99_ms),
    'other p99 ms': round2(quiet.p99_ms),
    against: `none upserted; added ${round2(added)} ms`,
  };
}

function upsertEverySecond({ db }: Database, from: Item[]) {
  let at = 0;
  const timer = setInterval(() => {
    at += UPSERT;
    const batch = from.slice(at - UPSERT, at).map((item) => ({ ...item, downloads: item.downloads + 1 }));
    void saveItems(db, batch);
  }, 1_000);
  return { stop: async () => clearInterval(timer) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
