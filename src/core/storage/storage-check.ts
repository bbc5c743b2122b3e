import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Check, ok, warn } from '#core/doctor/check.ts';
import { shortBytes } from '#core/text/short-bytes.ts';
import { findDrift } from './count.ts';
import { readStorageOfAll } from './usage.ts';

/** Checks the storage counters of the largest accounts. */

const MOST_ACCOUNTS = 20;

export const storageCheck = ({ db }: { db: Kysely<Schema> }): Check => ({
  name: 'storage',
  run: async () => {
    const total = Object.values(await readStorageOfAll(db)).reduce((sum, bytes) => sum + bytes, 0);
    const off = await findDrift(db, MOST_ACCOUNTS);
    if (off.length === 0) return [ok(`${shortBytes(total)} stored for accounts; the counters are correct.`)];
    const named = off.map(({ user_id, bytes }) => `${user_id} by ${bytes} bytes`).join(', ');
    return [
      warn(
        `Storage counters are wrong: ${named}.`,
        'No action needed while capstand serve or capstand work is running: each account is recounted daily',
      ),
    ];
  },
});
