import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import { recomputeAll } from '#marketplace/proof/follow.ts';
import { openProof } from '#marketplace/proof/open-proof.ts';
import { computeAll } from '#marketplace/proof/recompute.ts';
import { insertRuns } from '#marketplace/proof/runs.ts';

/** 100,000 runs of 90 days, of 2,000 things by 5,000 accounts: the hourly pass over all, and one after a run has ended. */
const RUNS = 100_000;
const THINGS = 2_000;
const ACCOUNTS = 5_000;
const GOALS = { hourly_s: 60, one_ms: 1_000, most_run_ms: 5_000 };
const DAY_MS = 86_400_000;

const data_dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' });
await migrate(database);
const { db } = database;
const keys = await openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir });
const receipts = { log: async () => 0 };
const { deps } = openProof({
  database,
  keys,
  receipts,
  clock: systemClock,
  jobs: { put: async () => {} },
  wake: () => {},
});
const now_ms = systemClock.now();
const account = (at: number) => `account-${at}`;
for (let at = 0; at < ACCOUNTS; at += 500)
  await db
    .insertInto('users')
    .values(
      Array.from({ length: 500 }, (_, n) => ({
        id: account(at + n),
        display_name: '',
        tier: n % 9 === 0 ? 'casual' : 'free',
        is_operator: 0,
        created_at: isoTime(now_ms - (n + 1) * DAY_MS),
        updated_at: isoTime(now_ms),
      })),
    )
    .execute();
/** Some are run far more than others: the first has a tenth of all. */
const thing = () => Math.floor(THINGS * Math.random() ** 3);
const runs = Array.from({ length: RUNS }, (_, leaf_index) => {
  const by = Math.floor(Math.random() * ACCOUNTS);
  return {
    leaf_index,
    receipt_id: `receipt-${leaf_index}`,
    subject: `skill/thing-${thing()}`,
    version: '1.0.0',
    pin: 'ab'.repeat(32),
    caller: 'user',
    user_id: account(by),
    outcome: by % 17 === 0 ? 'failed' : 'completed',
    input_mac: '',
    output_mac: '',
    at: isoTime(now_ms - Math.random() * 89 * DAY_MS),
  };
});
await db.transaction().execute(async (trx) => {
  await insertRuns(trx, runs);
  await trx.updateTable('change_counters').set({ value: RUNS }).where('name', '=', 'proof_receipts').execute();
});

const job = { signal: new AbortController().signal, fence: async () => {}, job: {} } as unknown as JobRun;
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
const cpu = process.cpuUsage();
const hourlyMs = await timed(() => recomputeAll(deps)(job));
const cpuMs = process.cpuUsage(cpu).user / 1_000;
const asOf = { now_ms, log_size: RUNS };
const oneMs = await timed(() => computeAll(deps, ['skill/thing-1500'], asOf));
const mostRunMs = await timed(() => computeAll(deps, ['skill/thing-0'], asOf));

console.table({
  [`hourly pass over ${RUNS} runs of ${THINGS}`]: { ms: Math.round(hourlyMs), 'ms of processor': Math.round(cpuMs) },
  'one that is run now and then': { ms: Math.round(oneMs) },
  [`the one that is run most (${runs.filter((run) => run.subject === 'skill/thing-0').length} runs)`]: {
    ms: Math.round(mostRunMs),
  },
});
const met = hourlyMs <= GOALS.hourly_s * 1_000 && oneMs <= GOALS.one_ms && mostRunMs <= GOALS.most_run_ms;
console.log(
  `goal: all within ${GOALS.hourly_s} s, one within ${GOALS.one_ms} ms, the most run within ${GOALS.most_run_ms} ms: ${met ? 'met' : 'missed'}`,
);
await database.close();
await rm(data_dir, { recursive: true, force: true });
if (!met) process.exitCode = 1;
