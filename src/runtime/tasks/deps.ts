import type { Kysely } from 'kysely';
import type { QuestionDesk } from '#connections/questions/question-desk.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import type { TaskChannel } from './pub-sub.ts';

/** Dependencies of the task operations. */
export interface TasksDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  storage: StorageGate;
  runs: Pick<Runs, 'prepare'>;
  channel: TaskChannel;
  /** The public URL without a trailing slash. */
  base_url: string;
  /** Questions of servers to the owners of running tasks. */
  questions: QuestionDesk;
  scheduler: Pick<FairScheduler, 'dispatch' | 'hurry'>;
  queue_per_user: number;
  starts_per_day: number;
  kept_per_user: number;
  /** How long a task is kept after its end. */
  kept_ms: number;
  /** The same for a run without an account. */
  trial_kept_ms: number;
  /** Aborted when the service stops: streams end so that clients come back elsewhere. */
  stopping: AbortSignal;
}
