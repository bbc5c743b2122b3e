import type { Kysely } from 'kysely';
import { listSigningKeys } from '#accounts/tokens/signing-keys.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Check, ok, warn } from '#core/doctor/check.ts';
import { PURPOSE } from './receipt-keys.ts';

/** The age of the key that signs receipts: nothing but an operator replaces it. */

const DAY_MS = 86_400_000;
const OLD_DAYS = 730;

export const receiptKeysCheck = ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): Check => ({
  name: 'receipt keys',
  run: async () => {
    const keys = await listSigningKeys(db, PURPOSE);
    const newest = keys.at(-1);
    if (newest === undefined) return [ok('No signing key yet. The first receipt creates one.')];
    const days = Math.floor((clock.now() - Date.parse(newest.active_at)) / DAY_MS);
    const seen = `${keys.length} published; the newest has been active for ${days} days.`;
    return [days < OLD_DAYS ? ok(seen) : warn(seen, 'capstand receipts rotate')];
  },
});
