import type { Kysely } from 'kysely';
import { ANONYMOUS_ID, SHOWN_ID } from '#accounts/users/house-accounts.ts';
import { listIdentities } from '#accounts/users/identities.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { inOrder, type StoredSpan } from '#core/traces/span.ts';
import { listRunSpans } from '#core/traces/spans.ts';
import { type Concealer, concealer } from './conceal.ts';
import { openReceiptKey } from './receipt-key.ts';
import type { Shows } from './shares.ts';
import type { SHARED_CALLERS } from './states.ts';
import { filesOf, filesText, shownTask, type Task } from './task.ts';

/**
 * What others see of a shared run, as JSON. Each member is named here: what is not cannot be seen, whatever is added to
 * tasks. The preview of the owner is made by the same function.
 */

interface SharingDeps {
  db: Kysely<Schema>;
  keys: KeyProvider;
  kept_ms: number;
  trial_kept_ms: number;
}

const OWN_KINDS: readonly string[] = ['connection', 'rig', 'harness'];

export async function sharedRun(deps: SharingDeps, task: Task, shows: Shows): Promise<string> {
  const { db, keys } = deps;
  const { capability, execution_class, status, status_reason, error } = shownTask(task);
  const conceal = concealer(await ownWords(db, task));
  for (const value of [task.input, task.output]) await conceal.learn(value ?? 'null');
  const isOwn = OWN_KINDS.includes(capability.kind);
  // Stored as JSON and not parsed, so that very many members hold the event loop only for a while each.
  const output = await conceal.json(task.output ?? 'null');
  const output_files = await cleanFiles(conceal, task.output_files);
  const input = shows.input ? await conceal.json(task.input ?? 'null') : 'null';
  const input_files = shows.input ? await cleanFiles(conceal, task.input_files) : '[]';
  // The key opens the hash of the input, too: a short one could be guessed.
  // Anyone can read a receipt, and it names what ran.
  const showsReceipt = shows.names || !isOwn;
  const key = showsReceipt && shows.input && conceal.count() === 0 ? openReceiptKey(keys, task) : null;
  const facts = JSON.stringify({
    caller: callerOf(task),
    title: shows.names ? await conceal.text(task.title) : null,
    capability: {
      kind: capability.kind,
      name: isOwn ? publicPart(task) : capability.ref,
      version: capability.version,
      digest: capability.digest,
    },
    execution_class,
    status,
    status_reason,
    // A failure may quote the address of a server of the owner.
    error:
      error === null
        ? null
        : { code: error.code, detail: isOwn && !shows.names ? null : await conceal.text(error.detail) },
    started_at: task.started_at,
    finished_at: task.finished_at,
    kept_until: keptUntil(deps, task),
    shows,
    steps: shows.trace ? await stepsOf(db, task) : null,
    receipt_id: showsReceipt ? task.receipt_id : null,
    receipt_key: key === null ? null : key.toString('base64'),
    /** Texts from which something was removed. */
    concealed: conceal.count(),
  });
  const values = `"output":${output},"output_files":${output_files},"input":${input},"input_files":${input_files}`;
  return `${facts.slice(0, -1)},${values}}`;
}

const keptUntil = ({ kept_ms, trial_kept_ms }: SharingDeps, { user_id, finished_at }: Task): string | null =>
  finished_at === null ? null : isoTime(Date.parse(finished_at) + (user_id === ANONYMOUS_ID ? trial_kept_ms : kept_ms));

/** Nobody's account is named, only whether there is one. */
const callerOf = ({ user_id }: Task): (typeof SHARED_CALLERS)[number] =>
  user_id === ANONYMOUS_ID ? 'anonymous' : user_id === SHOWN_ID ? 'service' : 'account';

/** Of a connection, the name of its tool is the server's; the ids of connections, rigs and harnesses are the owner's. */
const publicPart = ({ capability_kind, capability_ref }: Task): string | null =>
  capability_kind === 'connection' ? capability_ref.slice(capability_ref.indexOf('/') + 1) : null;

/** The ids and addresses of the owner. */
async function ownWords(db: Kysely<Schema>, { user_id }: Task): Promise<string[]> {
  const { wallets, email, google } = await listIdentities(db, user_id);
  return [user_id, email?.email, google?.email, ...wallets.map(({ address }) => address)].filter(
    (word): word is string => typeof word === 'string',
  );
}

async function cleanFiles(conceal: Concealer, text: string | null): Promise<string> {
  const clean = new Map<string, Uint8Array>();
  for (const [path, bytes] of filesOf(text)) clean.set(path, await conceal.bytes(bytes));
  return filesText(clean);
}

const MOST_STEPS = 500;

/** Operations by their own names only: those of tools, models and servers may be the owner's, and attributes hold input. */
async function stepsOf(db: Kysely<Schema>, { user_id, trace_id, span_id, started_at }: Task) {
  if (trace_id === null || span_id === null) return [];
  const spans = await listRunSpans(db, { user_id, trace_id, span_id });
  const began = Math.min(...spans.map((span) => Date.parse(span.started_at)), Date.parse(started_at ?? '9999-12-31'));
  return inOrder(spans)
    .slice(0, MOST_STEPS)
    .map((span) => ({
      name: operationOf(span),
      starts_ms: Date.parse(span.started_at) - began,
      duration_ms: span.duration_ms,
      is_failed: span.status === 'error',
    }));
}

const OPERATIONS = [
  ...(['chat', 'execute_tool', 'load_skill', 'run_script', 'invoke_agent', 'plan'] as const),
  ...(['tools/call', 'tools/list', 'invoke_rig'] as const),
];

const operationOf = ({ name }: StoredSpan): string =>
  OPERATIONS.find((operation) => name === operation || name.startsWith(`${operation} `)) ?? 'step';
