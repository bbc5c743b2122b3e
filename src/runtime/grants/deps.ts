import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { NativeScripts } from '#runtime/native/native-scripts.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';

/** Dependencies of the operations on the grants of skills. */
export interface GrantsOperationsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys: KeyProvider;
  storage: StorageGate;
  runs: Pick<Runs, 'resolve'>;
  scripts: Pick<NativeScripts, 'needsOf'>;
}
