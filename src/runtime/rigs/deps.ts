import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { RigCheck } from './rig.ts';
import type { CheckResult } from './rig-checks.ts';
import type { GatherParts } from './rig-parts.ts';

/** What the operations of rigs need; the functions are given by whoever runs capabilities. */
export interface RigsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  storage: StorageGate;
  gather: GatherParts;
  /** Runs one check of a rig at this version and shows what came of it. */
  runCheck: RunCheck;
  /** Whose checks are being run in this thread: they wait in no queue of tasks, so nobody has two rounds of them at once. */
  checking: Set<string>;
  rigs_per_user: number;
}

export type RunCheck = (
  of: { user_id: string; rig_id: string; version: string },
  check: RigCheck,
  signal: AbortSignal,
) => Promise<CheckResult>;
