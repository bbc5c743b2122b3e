import { createSecretKey, randomBytes } from 'node:crypto';
import { noteNetwork } from '#accounts/quotas/account-networks.ts';
import { createUser, type User } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import type { FollowDeps } from '#marketplace/proof/deps.ts';
import { followRuns, recomputeAll } from '#marketplace/proof/follow.ts';
import { openProof } from '#marketplace/proof/open-proof.ts';
import { SERVICE_CALLER } from '#marketplace/proof/whose-run.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { newReceiptKey, openReceipts, saveReceipt } from '#runtime/receipts/receipts.ts';

/** Accounts that run things at any time: their tasks and receipts as the service leaves them, and the jobs that follow. */

export const PROOF_NOW = Date.parse('2026-03-08T12:00:00.000Z');
const DAY_MS = 86_400_000;

interface MadeRun {
  /** `skill/<name>`, `listing/<provider>/<id>`, `capability/<id>` or `connection/<id>/<tool>`. */
  ref: string;
  version?: string;
  /** SHA-256 in hex. */
  digest?: string;
  /** Null: the operator's command line; `service`: our own check runs. */
  by: User | null | 'service';
  days_ago?: number;
  status?: 'completed' | 'failed' | 'cancelled';
  reason?: string;
  exit_code?: number;
  listing?: { name: string; address_sha256: string };
  input?: unknown;
  output?: unknown;
  /** That of other runs, where their inputs are to be compared. */
  receipt_key?: Buffer;
}

export async function proofStand<D extends Database>(database: D) {
  const { db } = database;
  const clock = { ms: PROOF_NOW, now: () => clock.ms };
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  const origin = 'capstan.test/receipts';
  const receipts = openReceipts({ db, clock, keys, receipt_keys, origin });
  const jobs = jobTable(database, clock);
  const proof = openProof({ database, clock, keys, jobs, receipts, wake: () => {} });
  const signal = new AbortController().signal;
  const run = { signal, fence: async () => {}, job: {} } as unknown as JobRun;
  const deps: FollowDeps = proof.deps;
  let made = 0;
  const stand = {
    database,
    db,
    clock,
    keys,
    receipts,
    receipt_keys,
    proof,
    deps,
    origin,
    /** An account of about that age, related to no other: made an hour before the last one, from its own network. */
    account: async (ageDays = 400, tier = 'free'): Promise<User> => {
      const createdAt = isoTime(PROOF_NOW - ageDays * DAY_MS - ++made * 3_600_000);
      const user = await createUser(db, 'Ada', createdAt);
      await noteNetwork(db, user.id, `10.${made >> 8}.${made & 255}.1`, createdAt);
      if (tier !== 'free') await db.updateTable('users').set({ tier }).where('id', '=', user.id).execute();
      return user;
    },
    ran: async (made: MadeRun): Promise<string> => {
      const { ref, by, version = '1.0.0', digest = 'ab'.repeat(32), days_ago = 0, status = 'completed' } = made;
      const run_id = newId();
      const at = isoTime(clock.ms - days_ago * DAY_MS);
      const user_id = by === 'service' ? SERVICE_CALLER : (by?.id ?? null);
      const receipt = await receipts.sign({
        run_id,
        attempt: 1,
        execution_class: 'scripted',
        user_id,
        intent_sha256: 'cd'.repeat(32),
        input: made.input ?? 1,
        input_files: new Map(),
        output: made.output ?? 2,
        output_files: new Map(),
        receipt_key: made.receipt_key ?? newReceiptKey(),
        subject: { name: `${ref}@${version}`, digest: { sha256: digest } },
        facts: {
          started_at: at,
          finished_at: at,
          status,
          exit_code: made.exit_code ?? 0,
          model: null,
          planner: null,
          environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' },
          trace: { trace_id: 'ef'.repeat(16), digest: '01'.repeat(32) },
          ...defined({ reason: made.reason, listing: made.listing }),
        },
      });
      await saveReceipt(db, receipt);
      if (by === null || by === 'service') return receipt.id;
      const slash = ref.indexOf('/');
      await db
        .insertInto('tasks')
        .values({
          id: run_id,
          user_id: by.id,
          title: 'private',
          capability_kind: ref.slice(0, slash),
          capability_ref: ref.slice(slash + 1),
          capability_version: version,
          capability_digest: digest,
          execution_class: 'scripted',
          status,
          input: '"private"',
          input_files: '[]',
          attempt: 1,
          created_at: at,
          finished_at: at,
          receipt_id: receipt.id,
        })
        .execute();
      return receipt.id;
    },
    /** An established account that runs things of others too: with two more like it, what it runs has a level and a score. */
    person: async (): Promise<User> => {
      const by = await stand.account(400, 'casual');
      for (const other of ['x', 'y']) await stand.ran({ ref: `listing/smithery/${by.id}-${other}`, by, days_ago: 20 });
      return by;
    },
    follow: () => followRuns(deps)(run),
    hourly: () => recomputeAll(deps)(run),
  };
  return stand;
}
