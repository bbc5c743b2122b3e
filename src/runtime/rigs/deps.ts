import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { RigCheck } from './rig.ts';
import type { CheckResult } from './rig-checks.ts';
import type { GatherParts } from './rig-parts.ts';

/** Dependencies of the rig operations; the functions come from the code that runs capabilities. */
export interface RigsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  storage: StorageGate;
  gather: GatherParts;
  /** Runs one check of a rig at this version and returns its result. */
  runCheck: RunCheck;
  /** Users whose checks are running in this thread. Checks are not queued, so each user may run only one round at a time. */
  checking: Set<string>;
  rigs_per_user: number;
}

export type RunCheck = (
  of: { user_id: string; rig_id: string; version: string },
  check: RigCheck,
  signal: AbortSignal,
) => Promise<CheckResult>;
