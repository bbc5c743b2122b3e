import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { AuthorizationCodeRow } from '#core/db/schema-authorization.ts';

/**
 * Authorization codes: a user's consent until the client fetches its tokens. The only SQL that uses
 * `authorization_codes`.
 */

type Db = Kysely<Schema>;
type Consent = Pick<
  AuthorizationCodeRow,
  'user_id' | 'page_sign_in_id' | 'client_id' | 'client_name' | 'redirect_uri' | 'code_challenge' | 'resource' | 'scope'
>;

const CODE_MS = 60_000;
/** How long the reuse of a code still revokes its session. */
const REMEMBERED_MS = 3_600_000;
const CLEAN_MOST = 64;

export const hashOf = (text: string): string => sha256(text);
export const randomText = (): string => randomBytes(32).toString('base64url');

/** Returns the code: 256 random bits, of which only the hash is stored. */
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

/** Consumes the code in one statement before any check: of concurrent requests, one gets it. */
export const takeCode = (db: Db, code: string, now: string): Promise<AuthorizationCodeRow | undefined> =>
  db
    .updateTable('authorization_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

/** Records that a used code was used again. Returns the session that it started, if any. */
export const noteReplay = (db: Db, code: string, now: string) =>
  db
    .updateTable('authorization_codes')
    .set({ replayed_at: now })
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is not', null)
    .returning(['user_id', 'sign_in_id'])
    .executeTakeFirst();

/** Records the session of a code. Returns whether the code was used again in the meantime. */
export async function settleCode(trx: Db, code_hash: string, sign_in_id: string): Promise<{ was_replayed: boolean }> {
  const row = await trx
    .updateTable('authorization_codes')
    .set({ sign_in_id })
    .where('code_hash', '=', code_hash)
    .returning('replayed_at')
    .executeTakeFirst();
  return { was_replayed: row?.replayed_at !== null };
}
