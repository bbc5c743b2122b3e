import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { AuthorizationCodeRow } from '#core/db/schema-authorization.ts';

/** What stands for a user's consent until the client fetches its tokens. The only SQL that names `authorization_codes`. */

type Db = Kysely<Schema>;
export type Consent = Pick<
  AuthorizationCodeRow,
  'user_id' | 'page_sign_in_id' | 'client_id' | 'client_name' | 'redirect_uri' | 'code_challenge' | 'resource' | 'scope'
>;

const CODE_MS = 60_000;
/** So long a code that is shown again still ends what came of it. */
const REMEMBERED_MS = 3_600_000;
const CLEAN_MOST = 64;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
export const randomText = (): string => randomBytes(32).toString('base64url');

/** The code: 256 random bits, of which only the hash is kept. */
export async function addCode(database: Database, consent: Consent, now_ms: number): Promise<string> {
  const code = randomText();
  await removeExpired(database, 'authorization_codes', now_ms - REMEMBERED_MS, CLEAN_MOST);
  await database.db
    .insertInto('authorization_codes')
    .values({
      ...consent,
      code_hash: hashOf(code),
      used_at: null,
      replayed_at: null,
      sign_in_id: null,
      created_at: isoTime(now_ms),
      expires_at: isoTime(now_ms + CODE_MS),
    })
    .execute();
  return code;
}

/** Used up by one statement, before anything is looked at: of all who try, one gets it. */
export const takeCode = (db: Db, code: string, now: string): Promise<AuthorizationCodeRow | undefined> =>
  db
    .updateTable('authorization_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

/** Notes that a used code was shown again. Answers the session that came of it, if any did yet. */
export const noteReplay = (db: Db, code: string, now: string) =>
  db
    .updateTable('authorization_codes')
    .set({ replayed_at: now })
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is not', null)
    .returning(['user_id', 'sign_in_id'])
    .executeTakeFirst();

/** What came of a code. Answers whether it was shown again meanwhile. */
export async function settleCode(trx: Db, code_hash: string, sign_in_id: string): Promise<{ was_replayed: boolean }> {
  const row = await trx
    .updateTable('authorization_codes')
    .set({ sign_in_id })
    .where('code_hash', '=', code_hash)
    .returning('replayed_at')
    .executeTakeFirst();
  return { was_replayed: row?.replayed_at !== null };
}
