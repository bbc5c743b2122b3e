import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Check, ok, warn } from '#core/doctor/check.ts';
import { PURPOSE } from './signing-key.ts';
import { listSigningKeys } from './signing-keys.ts';

/** Checks the age of the token signing key. */

interface TokenKeysCheckDeps {
  db: Kysely<Schema>;
  clock: Clock;
  rotation_ms: number;
}

const DAY_MS = 86_400_000;

export const tokenKeysCheck = ({ db, clock, rotation_ms }: TokenKeysCheckDeps): Check => ({
  name: 'token keys',
  run: async () => {
    const nowMs = clock.now();
    const keys = await listSigningKeys(db, PURPOSE);
    const held = keys.filter(({ retired_at }) => retired_at === null || retired_at > isoTime(nowMs));
    const newest = held.at(-1);
    if (newest === undefined) return [ok('No signing key yet. The first sign-in creates one.')];
    const ageMs = nowMs - Date.parse(newest.active_at);
    const days = Math.floor(ageMs / DAY_MS);
    const when = ageMs < 0 ? `becomes active at ${newest.active_at}` : `has been active for ${days} days`;
    const seen = `${held.length} published; the newest ${when}.`;
    // The next token operation creates the next key when it is due.
    return ageMs <= rotation_ms
      ? [ok(seen)]
      : [
          warn(
            `${seen} Rotation interval: ${rotation_ms / DAY_MS} days. The service rotates the key when it ` +
              'next signs a token.',
            'capstand tokens rotate',
          ),
        ];
  },
});
