import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import type { Kysely } from 'kysely';
import { ANONYMOUS_ID, SHOWN_ID } from '#accounts/users/house-accounts.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { OwedReceiptRow, ReceiptRow } from '#core/db/schema-execution.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { type Bundle, logEntry } from './bundle.ts';
import { signEnvelope } from './dsse.ts';
import { checkpointOver, logReceipts, readProof } from './log.ts';
import { inclusionSteps } from './merkle.ts';
import { findOwed, listDue, moveOwed, type OwedFacts, type OwedOutcome, REMOTE } from './owed-receipts.ts';
import { jwkOf } from './receipt-key.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import {
  callStatement,
  intentStatement,
  PAYLOAD_TYPE,
  type RunFacts,
  refusalStatement,
  runStatement,
  type Subject,
} from './statement.ts';

/** Receipts as runs make them and readers get them. The only SQL that names `receipts` and `run_intents`, but the log's. */

type Db = Kysely<Schema>;

/** The data known before a run starts. */
export interface RunStart {
  run_id: string;
  attempt: number;
  subject: Subject;
  execution_class: RunFacts['execution_class'];
  input: unknown;
  /** By path. */
  input_files: ReadonlyMap<string, Uint8Array>;
  /** HMAC key of this run, known to its owner. Plain hashes of short inputs could be guessed. */
  receipt_key: Buffer;
  /** Null for the operator's own command line. */
  user_id: string | null;
}

export interface RunEnded extends RunStart {
  intent_sha256: string;
  output: unknown;
  /** By path. */
  output_files: ReadonlyMap<string, Uint8Array>;
  facts: Pick<
    RunFacts,
    | 'started_at'
    | 'finished_at'
    | 'status'
    | 'exit_code'
    | 'environment'
    | 'model'
    | 'planner'
    | 'trace'
    | 'reason'
    | 'listing'
  >;
}

/** The data of an attempt that was started. */
export interface Intent {
  attempt: number;
  /** SHA-256 of its envelope. */
  digest: string;
  created_at: string;
}

export interface Receipts {
  /** Signed and stored before anything with an effect is done. Answers the SHA-256 that the receipt will name. */
  intend(run: RunStart): Promise<string>;
  /** The newest attempt that was started; undefined if there is none. */
  lastIntent(runId: string): Promise<Intent | undefined>;
  /** Signs the receipt of a run that has ended; `saveReceipt` stores it in the transaction that ends the run. */
  sign(run: RunEnded): Promise<ReceiptRow>;
  /** Signs the receipt of a run that was rejected. */
  refuse(run: RunStart, refused: { reason: string; trace_id: string | null }): Promise<ReceiptRow>;
  /** The bundle, appended to the log now if necessary; undefined for an unknown id. */
  bundle(id: string): Promise<Bundle | undefined>;
  /** Appends waiting receipts to the log. Returns their number. */
  log(): Promise<number>;
  /** Signs receipts of tool calls that have ended, or whose process is gone. Returns their number. */
  signOwed(): Promise<number>;
}

interface ReceiptsDeps {
  db: Db;
  clock: Clock;
  keys: KeyProvider;
  receipt_keys: ReceiptKeys;
  /** Name of the log: host and path without a scheme, as C2SP has it. */
  origin: string;
}

const MOST_A_BATCH = 2_000;
/** Signing holds the thread, so few are signed in a row. */
const MOST_SIGNED = 64;
/** A reader waits this long for a call whose end is being stored. */
const WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 25;
const RECEIPT_KEY_BYTES = 32;
const MOST_REASON = 100;
const NO_TRACE = '0'.repeat(32);

export const newReceiptKey = (): Buffer => randomBytes(RECEIPT_KEY_BYTES);

/** HMAC-SHA-256 over the canonical JSON of a value, in hex. With the key, an input or an output can be checked. */
export const macOf = (key: Uint8Array, value: unknown): string =>
  createHmac('sha256', key)
    .update(canonicalize(value ?? null) as string)
    .digest('hex');

export function openReceipts(deps: ReceiptsDeps): Receipts {
  const { db, clock, receipt_keys, origin } = deps;
  const commitment = commitmentBy(deps.keys);
  const envelopeOf = async (statement: unknown) => {
    const { private_key, id } = await receipt_keys.signing();
    const payload = Buffer.from(canonicalize(statement) as string);
    return { key_id: id, envelope: logEntry(signEnvelope(PAYLOAD_TYPE, payload, private_key, id)).toString() };
  };
  const log = (): Promise<number> =>
    logReceipts({ db, origin, now: isoTime(clock.now()), pair: receipt_keys.pair, most: MOST_A_BATCH });
  const signRows = async (rows: readonly OwedReceiptRow[]): Promise<number> => {
    const created_at = isoTime(clock.now());
    const signed: ReceiptRow[] = [];
    for (const row of rows) {
      const { id, user_id } = row;
      const envelope = await envelopeOf(statementOfOwed(row, created_at));
      signed.push({ id, run_id: id, ...envelope, created_at, leaf_index: null, user_id });
    }
    if (signed.length > 0) await moveOwed(db, signed);
    return signed.length;
  };
  /** Signs the receipt of one call now. Throws `receipts.unavailable` if the call is still in progress. */
  const signOne = async (id: string): Promise<void> => {
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      const row = await findOwed(db, id);
      if (row === undefined) return;
      if (row.outcome !== null || row.lease_until < isoTime(clock.now())) {
        await signRows([row]);
        return;
      }
      if (waitedMs >= WAIT_MS) throw stillOpen();
      await sleep(LOOK_AGAIN_MS);
    }
  };
  return {
    log,
    signOwed: async () => signRows(await listDue(db, isoTime(clock.now()), MOST_SIGNED)),
    intend: async (run) => {
      const { run_id, attempt, execution_class } = run;
      const facts = { run_id, attempt, execution_class, input: inputOf(run), caller: commitment(run) };
      const created_at = isoTime(clock.now());
      const { envelope } = await envelopeOf(intentStatement(run.subject, { ...facts, at: created_at }));
      const digest = sha256(envelope);
      await db
        .insertInto('run_intents')
        .values({ run_id, attempt, envelope, digest, created_at, user_id: run.user_id })
        .execute();
      return digest;
    },
    lastIntent: (runId) =>
      db
        .selectFrom('run_intents')
        .select(['attempt', 'digest', 'created_at'])
        .where('run_id', '=', runId)
        .orderBy('attempt', 'desc')
        .limit(1)
        .executeTakeFirst(),
    sign: async (run) => {
      const { run_id, attempt, execution_class } = run;
      const statement = runStatement(run.subject, {
        run_id,
        attempt,
        execution_class,
        ...run.facts,
        input: inputOf(run),
        output: { hmac_sha256: macOf(run.receipt_key, withFiles(run.output, run.output_files)) },
        caller: commitment(run),
        intent: { digest: { sha256: run.intent_sha256 } },
      });
      const signed = await envelopeOf(statement);
      const created_at = isoTime(clock.now());
      return { id: newId(), run_id, ...signed, created_at, leaf_index: null, user_id: run.user_id };
    },
    refuse: async (run, { reason, trace_id }) => {
      const { run_id, attempt, execution_class, subject, receipt_key, user_id } = run;
      const created_at = isoTime(clock.now());
      const statement = refusalStatement(subject, {
        run_id,
        attempt,
        execution_class,
        started_at: created_at,
        finished_at: created_at,
        status: 'refused',
        exit_code: null,
        input: inputOf(run),
        output: { hmac_sha256: macOf(receipt_key, null) },
        model: null,
        planner: null,
        environment: { isolation: null, engine: null, network: 'none' },
        trace: { trace_id: trace_id ?? NO_TRACE },
        caller: commitment(run),
        reason: reason.slice(0, MOST_REASON),
      });
      return { id: newId(), run_id, ...(await envelopeOf(statement)), created_at, leaf_index: null, user_id };
    },
    bundle: async (id) => {
      if ((await findReceipt(db, id)) === undefined) await signOne(id);
      const waiting = await findReceipt(db, id);
      if (waiting?.leaf_index === null)
        await logUntil(log, async () => (await findReceipt(db, id))?.leaf_index ?? null);
      const row = await findReceipt(db, id);
      return row === undefined ? undefined : bundleOf(deps, row);
    },
  };
}

const stillOpen = () =>
  runtimeProblem('receipts.unavailable', 'The tool call has not ended yet. Retry in 15 s.', {
    headers: { 'retry-after': '15' },
  });

/** Without an outcome, the process of the call is gone and only its begin is known. */
function statementOfOwed({ facts, outcome }: OwedReceiptRow, now: string) {
  const { subject, predicate, no_output: output } = JSON.parse(facts) as OwedFacts;
  const ended: OwedOutcome =
    outcome === null
      ? { status: 'interrupted', finished_at: now, output, environment: REMOTE }
      : (JSON.parse(outcome) as OwedOutcome);
  return callStatement(subject, { ...predicate, ...ended });
}

/** One a run: a second one is refused by the table. */
export const saveReceipt = async (trx: Db, receipt: ReceiptRow): Promise<void> =>
  void (await trx.insertInto('receipts').values(receipt).execute());

const inputOf = ({ receipt_key, input, input_files }: RunStart) => ({
  hmac_sha256: macOf(receipt_key, withFiles(input, input_files)),
});

/** The data of a HMAC: the JSON alone, or `{json, files: {<path>: <sha256 in hex>}}` if there are files. */
export function withFiles(json: unknown, files: ReadonlyMap<string, Uint8Array>): unknown {
  if (files.size === 0) return json;
  const digests = [...files].map(([path, bytes]) => [path, sha256(bytes)]);
  return { json: json ?? null, files: Object.fromEntries(digests) };
}

/** Distinguishes callers of one capability. Without the service's key it does not identify anyone. */
function commitmentBy(keys: KeyProvider): (run: RunStart) => RunFacts['caller'] {
  const commitment = commitmentsBy(keys);
  return ({ user_id, subject }) => ({
    commitment: commitment(user_id, subject.name),
    ...defined({ kind: kindOf(user_id) }),
  });
}

const kindOf = (user_id: string | null): RunFacts['caller']['kind'] =>
  user_id === ANONYMOUS_ID ? 'anonymous' : user_id === SHOWN_ID ? 'service' : undefined;

/** HMAC of a caller and a subject's name in hex: only the service's key can link a receipt to an account. */
export function commitmentsBy(keys: KeyProvider): (user_id: string | null, subject: string) => string {
  const key = deriveKey(keys, 'receipt caller');
  return (userId, subject) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, subject]))
      .digest('hex');
}

/** Others may wait before it: batches are taken in order. */
async function logUntil(log: () => Promise<number>, place: () => Promise<number | null>): Promise<void> {
  while ((await place()) === null) if ((await log()) === 0) return;
}

const findReceipt = (db: Db, id: string): Promise<ReceiptRow | undefined> =>
  db.selectFrom('receipts').selectAll().where('id', '=', id).executeTakeFirst();

async function bundleOf({ db, receipt_keys }: ReceiptsDeps, row: ReceiptRow): Promise<Bundle> {
  const index = row.leaf_index as number;
  const checkpoint = await checkpointOver(db, index, row.key_id);
  if (checkpoint === undefined) throw new Error(`Receipt ${row.id} is in the log under no checkpoint.`);
  const { public_key } = await receipt_keys.pair(row.key_id);
  return {
    dsse: JSON.parse(row.envelope) as Bundle['dsse'],
    log_entry: {
      index,
      size: checkpoint.size,
      proof: await readProof(db, inclusionSteps(index, checkpoint.size)),
    },
    checkpoint: checkpoint.note,
    jwk: jwkOf(public_key),
  };
}
