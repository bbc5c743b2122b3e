import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { newId } from '#core/ids.ts';
import { type Bundle, verifyBundle } from '#runtime/receipts/bundle.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { newReceiptKey, openReceipts, saveReceipt } from '#runtime/receipts/receipts.ts';

/** A thousand runs: their receipts signed, stored and appended to the log; then each bundle read and verified. */
const RUNS = 1_000;
const GOALS = { sign_and_log_ms: 1_000, verify_ms: 1 };

const data_dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' });
await migrate(database);
const { db } = database;
const keys = await openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir });
const receipt_keys = openReceiptKeys({ db, keys, clock: systemClock });
const receipts = openReceipts({ db, keys, clock: systemClock, receipt_keys, origin: 'capstan.example/receipts' });
await receipt_keys.signing();

const hex = 'ab'.repeat(32);
const ended = () => ({
  run_id: newId(),
  attempt: 1,
  execution_class: 'scripted' as const,
  user_id: 'user',
  input: { a: 1 },
  output: 2,
  input_files: new Map(),
  output_files: new Map(),
  receipt_key: newReceiptKey(),
  intent_sha256: hex,
  subject: { name: 'skill/x@1.0.0', digest: { sha256: hex } },
  facts: {
    started_at: '2026-11-20T12:00:00.000Z',
    finished_at: '2026-11-20T12:00:01.000Z',
    exit_code: 0,
    status: 'completed' as const,
    model: null,
    planner: null,
    trace: { trace_id: 'ef'.repeat(16), digest: hex },
    environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' as const },
  },
});

const begun = performance.now();
const signed = await Promise.all(Array.from({ length: RUNS }, () => receipts.sign(ended())));
const signMs = performance.now() - begun;
// One transaction: how fast a disk takes single commits is the disk's.
await db.transaction().execute(async (trx) => {
  for (const receipt of signed) await saveReceipt(trx, receipt);
});
const storeMs = performance.now() - begun - signMs;
while ((await receipts.log()) > 0);
const signAndLogMs = performance.now() - begun;

const bundles: Bundle[] = [];
for (const { id } of signed) bundles.push((await receipts.bundle(id)) as Bundle);
const verifying = performance.now();
const valid = bundles.filter((bundle) => verifyBundle(bundle).consistent).length;
const verifyMs = (performance.now() - verifying) / RUNS;

console.table({
  [`sign ${RUNS}`]: { ms: Math.round(signMs) },
  [`store ${RUNS}`]: { ms: Math.round(storeMs) },
  [`take ${RUNS} into the log`]: { ms: Math.round(signAndLogMs - signMs - storeMs) },
  'verify one': { ms: Number(verifyMs.toFixed(3)) },
});
const met = signAndLogMs <= GOALS.sign_and_log_ms && verifyMs <= GOALS.verify_ms && valid === RUNS;
console.log(
  `goal: ${RUNS} signed and logged within ${GOALS.sign_and_log_ms} ms (${Math.round(signAndLogMs)}), ` +
    `each verified within ${GOALS.verify_ms} ms: ${met ? 'met' : 'missed'}`,
);
await database.close();
await rm(data_dir, { recursive: true, force: true });
if (!met) process.exitCode = 1;
