import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ChallengeRow } from '#core/db/schema-identity.ts';
import type { Problem } from '#core/problem/problem.ts';
import { IS_WINDOW } from './windows.ts';

/** Challenges: the only SQL that uses their table. */

export const CHALLENGE_MS = 300_000;
/** How long an expired challenge is distinguished from an unknown one. */
const REMEMBERED_MS = 3_600_000;
/** More than one per creation, so that the table shrinks again after a rush. */
const REMOVED_AT_ONCE = 3;

export async function addChallenge(
  database: Database,
  challenge: Omit<ChallengeRow, 'used_at'>,
  now_ms: number,
): Promise<void> {
  await removeExpired(database, 'challenges', now_ms - REMEMBERED_MS, REMOVED_AT_ONCE);
  await database.db
    .insertInto('challenges')
    .values({ ...challenge, used_at: null })
    .execute();
}

/**
 * Consumes the challenge in one statement: of concurrent requests, one gets it. The others get a 401 with the reason. A
 * confirmation for some minutes stays, until it expires or is burned.
 */
export async function consumeChallenge({ db }: Database, id: string, now_ms: number): Promise<ChallengeRow> {
  if (!UUID.test(id)) throw unknown();
  const now = isoTime(now_ms);
  const taken = await db
    .updateTable('challenges')
    .set(({ eb }) => ({
      used_at: eb.case().when('operation', 'like', IS_WINDOW).then(null).else(now).end(),
    }))
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (taken !== undefined) return taken;
  const found = await db.selectFrom('challenges').select('used_at').where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw unknown();
  throw found.used_at === null ? expired() : used();
}

/** Consumes a confirmation for some minutes after a failure. */
export const burnChallenge = ({ db }: Database, id: string, now_ms: number): Promise<unknown> =>
  db
    .updateTable('challenges')
    .set({ used_at: isoTime(now_ms) })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .execute();

/** Deletes used and unused challenges of an account that is being deleted. */
export async function deleteChallengesOf(db: Kysely<Schema>, wallet: Pick<ChallengeRow, 'wallet_type' | 'address'>) {
  const { wallet_type, address } = wallet;
  await db
    .deleteFrom('challenges')
    .where((eb) => eb.and({ wallet_type, address }))
    .execute();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknown = (): Problem =>
  accountsProblem('auth.signature_invalid', 'Challenge not found. Request a new one.', { reason: 'challenge_unknown' });
const expired = (): Problem =>
  accountsProblem('auth.signature_invalid', 'Challenge expired. Request a new one.', { reason: 'challenge_expired' });
const used = (): Problem =>
  accountsProblem('auth.signature_invalid', 'Challenge already used. Request a new one.', { reason: 'challenge_used' });
