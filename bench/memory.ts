import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createUser } from '#accounts/users/users.ts';
import { systemClock } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { type Database, type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { makeHarness } from '#runtime/harnesses/change-harnesses.ts';
import { HARNESS_MD_EXAMPLE } from '#runtime/harnesses/examples.ts';
import { writeMemories } from '#runtime/memory/change-memories.ts';
import { searchMemories } from '#runtime/memory/search-memories.ts';
import { wordsOf } from '#runtime/memory/terms.ts';
import { postgresConfig } from '../test/databases.ts';
import { startPostgres } from '../test/postgres.ts';
import { ROOMY } from '../test/storage.ts';
import { seeded } from './catalog/random.ts';

/** 10,000 memories of one harness: how long a search takes, beside a plain scan of the same rows, on both engines. */
const MEMORIES = 10_000;
const ROUNDS = 15;
const GOAL_MS = 20;
/** From a word that few have to beginnings that nearly all have. */
const QUERIES = ['w4999', 'w120', 'w0', 'w7 w19', 'w3 w11 w40', 'w49', 'w1', 'topic'];

const random = seeded(7);
/** Few words are frequent, most are rare. */
const word = () => `w${Math.floor(5_000 * (random(1_000_000) / 1_000_000) ** 3)}`;
const sentence = (words: number) => Array.from({ length: words }, word).join(' ');

async function fill({ db }: Database): Promise<{ number: number; fill_ms: number; words: number }> {
  const user = await createUser(db, 'Ada', new Date().toISOString());
  const limits = { per_user: 10, memories_per_user: MEMORIES * 2, bytes_per_user: 1e9 };
  const deps = { db, clock: systemClock, limits, storage: ROOMY };
  const files = [{ path: 'HARNESS.md', content: HARNESS_MD_EXAMPLE }];
  const { harness } = await makeHarness(deps, user.id, { files });
  const begun = performance.now();
  let words = 0;
  for (let at = 0; at < MEMORIES; at += 100) {
    const writes = Array.from({ length: 100 }, (_, index) => {
      const path = `topic-${at}/note-${at + index}.md`;
      const content = sentence(40 + random(80));
      words += wordsOf(path, content).size;
      return { path, content };
    });
    await writeMemories(deps, { user_id: user.id, ref: harness.id }, writes);
  }
  return { number: harness.number, fill_ms: performance.now() - begun, words };
}

/** What one would write first: the database reads every content and counts, without folding, ranks and beginnings of words. */
const scan = ({ db }: Database, harness: number, query: string) =>
  db
    .selectFrom('memories as m')
    .innerJoin('memory_versions as v', (join) =>
      join.onRef('v.harness', '=', 'm.harness').onRef('v.memory', '=', 'm.number').onRef('v.version', '=', 'm.version'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('m.harness', '=', harness)
    .where((eb) => eb.and(query.split(' ').map((term) => eb('v.content', 'like', `%${term}%`))))
    .executeTakeFirstOrThrow();

async function median(run: () => Promise<unknown>): Promise<{ median: number; fastest: number }> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(ROUNDS / 2)] as number, fastest: times[0] as number };
}

let longestMs = 0;
async function measure(engine: string, config: DatabaseConfig): Promise<void> {
  const database = await openDatabase(config);
  await migrate(database);
  const { number, fill_ms, words } = await fill(database);
  // As its own housekeeping leaves the tables within a minute or two.
  if (config.engine === 'postgres') await sql`VACUUM ANALYZE`.execute(database.db);
  const each = (fill_ms / MEMORIES).toFixed(2);
  console.log(`${engine}: ${MEMORIES} memories, ${words} words of them, ${each} ms a memory in hundreds`);
  const rows: Record<string, object> = {};
  for (const query of QUERIES) {
    const found = await median(() => searchMemories(database.db, number, query, { limit: 20, offset: 0 }));
    const scanned = await median(() => scan(database, number, query));
    const { total_count } = await searchMemories(database.db, number, query, { limit: 1, offset: 0 });
    longestMs = Math.max(longestMs, found.median);
    rows[query] = {
      found: total_count,
      'search ms': found.median.toFixed(1),
      'fastest ms': found.fastest.toFixed(1),
      'count by scan ms': scanned.median.toFixed(1),
      ratio: (scanned.median / found.median).toFixed(1),
    };
  }
  console.table(rows);
  await database.close();
}

const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
await measure('SQLite', { engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'own' });
await rm(dir, { recursive: true, force: true });
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
const { config, drop } = await postgresConfig();
await measure('PostgreSQL', config);
await drop();
await postgres.stop();

const met = longestMs <= GOAL_MS;
console.log(`goal: every search within ${GOAL_MS} ms (${longestMs.toFixed(1)}): ${met ? 'met' : 'missed'}`);
process.exit(met ? 0 : 1);
