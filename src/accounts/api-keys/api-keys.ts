import type { Kysely } from 'kysely';
import { countOf } from '#core/db/pages.ts';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ApiKeyRow, UserRow } from '#core/db/schema-identity.ts';
import type { Scope } from '#core/http/caller.ts';
import { newId } from '#core/ids.ts';
import { hashApiKey, hintOf, isApiKeyText, newApiKeyText } from './api-key.ts';

/** API keys: the only SQL that uses `api_keys`. Only the SHA-256 of a key is stored. */

type Db = Kysely<Schema>;
/** A key as its owner sees it in lists. */
type ApiKey = Omit<ApiKeyRow, 'user_id' | 'key_hash' | 'scopes'> & { scopes: Scope[] };

interface NewApiKey {
  user_id: string;
  name: string;
  scopes: readonly Scope[];
  expires_at: string | null;
}

const LIST_COLUMNS = ['id', 'name', 'hint', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;
const TOUCH_EVERY_MS = 60_000;

/** The `key` in the result is shown only once. `db` must be a transaction that has locked the account (`lockUser`). */
export async function createApiKey(db: Db, newApiKey: NewApiKey, now: string): Promise<ApiKey & { key: string }> {
  const key = newApiKeyText();
  const shown = {
    id: newId(),
    name: newApiKey.name,
    hint: hintOf(key),
    created_at: now,
    expires_at: newApiKey.expires_at,
  };
  await db
    .insertInto('api_keys')
    .values({
      ...shown,
      user_id: newApiKey.user_id,
      key_hash: hashApiKey(key),
      scopes: JSON.stringify(newApiKey.scopes),
      last_used_at: null,
    })
    .execute();
  return { ...shown, scopes: [...newApiKey.scopes], last_used_at: null, key };
}

interface FoundApiKey
  extends Pick<UserRow, 'tier' | 'is_operator' | 'unproven_network' | 'suspended_at' | 'suspended_reason'> {
  id: string;
  user_id: string;
  scopes: Scope[];
  expires_at: string | null;
}

/**
 * Returns the key that is valid at `now` (ISO time), with what its user may do, and records its use. Undefined for any other text and for an
 * expired key.
 */
export async function findApiKey(db: Db, key_text: string, now: string, reads = db): Promise<FoundApiKey | undefined> {
  if (!isApiKeyText(key_text)) return undefined;
  const [row] = await readByHash(reads, { key_hash: hashApiKey(key_text) });
  if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  const { last_used_at, ...found } = row;
  const due = new Date(Date.parse(now) - TOUCH_EVERY_MS).toISOString();
  if (last_used_at === null || last_used_at <= due) await touch(db, row.id, now, due);
  return { ...found, scopes: JSON.parse(found.scopes) };
}

const readByHash = prepared(['key_hash'], (db, { key_hash }: { key_hash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'user_id', 'scopes', 'expires_at', 'last_used_at'])
    .select(['tier', 'is_operator', 'unproven_network', 'suspended_at', 'suspended_reason'])
    .where('key_hash', '=', key_hash),
);

/** Written at most once a minute over all processes. */
async function touch(db: Db, id: string, now: string, due: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', due)]))
    .execute();
}

/** Newest first, including expired keys. */
export async function listApiKeys(db: Db, user_id: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(LIST_COLUMNS)
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, scopes: JSON.parse(row.scopes) }));
}

export const countApiKeys = (db: Db, user_id: string): Promise<number> =>
  countOf(db.selectFrom('api_keys').where('user_id', '=', user_id));

/** Returns false if the user has no such key. */
export async function deleteApiKey(db: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await db
    .deleteFrom('api_keys')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Returns the number of deleted keys. */
export async function deleteApiKeys(db: Db, user_id: string): Promise<number> {
  return (await db.deleteFrom('api_keys').where('user_id', '=', user_id).returning('id').execute()).length;
}
