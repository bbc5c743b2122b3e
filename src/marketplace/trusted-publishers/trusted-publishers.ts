import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublishTokenRow, TrustedPublisherRow } from '#core/db/schema-publishing.ts';

/** Trusted publishers and their tokens: the only SQL of these tables. Only the SHA-256 of a token is stored. */

type Db = Kysely<Schema>;

/** Oldest first. */
export const listTrusted = (db: Db, listing_id: string): Promise<TrustedPublisherRow[]> =>
  db
    .selectFrom('trusted_publishers')
    .selectAll()
    .where('listing_id', '=', listing_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const countTrusted = (db: Db, listing_id: string): Promise<number> =>
  countOf(db.selectFrom('trusted_publishers').where('listing_id', '=', listing_id));

const AT_ONCE = 500;

/** By listing id; those without any are absent. */
export async function countTrustedOf(db: Db, listing_ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let at = 0; at < listing_ids.length; at += AT_ONCE) {
    const rows = await db
      .selectFrom('trusted_publishers')
      .select(({ fn }) => ['listing_id', fn.countAll<number>().as('count')])
      .where('listing_id', 'in', listing_ids.slice(at, at + AT_ONCE))
      .groupBy('listing_id')
      .execute();
    for (const { listing_id, count } of rows) found.set(listing_id, Number(count));
  }
  return found;
}

export async function insertTrusted(db: Db, row: TrustedPublisherRow): Promise<void> {
  await db.insertInto('trusted_publishers').values(row).execute();
}

/** Its tokens go with it. False if the listing has no such one. */
export async function deleteTrusted(db: Db, listing_id: string, id: string): Promise<boolean> {
  await db.deleteFrom('publish_tokens').where('trusted_publisher_id', '=', id).execute();
  const rows = await db
    .deleteFrom('trusted_publishers')
    .where('listing_id', '=', listing_id)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return rows.length === 1;
}

export async function deleteAllTrusted(db: Db, listing_id: string): Promise<void> {
  for (const { id } of await listTrusted(db, listing_id)) await deleteTrusted(db, listing_id, id);
}

/** Notes a use, and the owner of the repository at the first one. */
export async function noteUse(db: Db, id: string, owner_id: string, now: string): Promise<void> {
  await db.updateTable('trusted_publishers').set({ owner_id, last_used_at: now }).where('id', '=', id).execute();
}

/** False if this identity token was used before. */
export async function useIdentity(db: Db, issuer: string, jti: string, expires_at: string): Promise<boolean> {
  const rows = await db
    .insertInto('used_identity_tokens')
    .values({ token_hash: sha256(`${issuer}\n${jti}`), expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .execute();
  return rows.length === 1;
}

export async function insertPublishToken(
  db: Db,
  token: string,
  row: Omit<PublishTokenRow, 'token_hash'>,
): Promise<void> {
  await db
    .insertInto('publish_tokens')
    .values({ ...row, token_hash: sha256(token) })
    .execute();
}

/** The token with its trusted publisher; undefined if it is unknown or has expired. */
export const findPublishToken = (db: Db, token: string, now: string) =>
  db
    .selectFrom('publish_tokens')
    .innerJoin('trusted_publishers', 'trusted_publishers.id', 'publish_tokens.trusted_publisher_id')
    .select(['trusted_publishers.id', 'trusted_publishers.listing_id', 'publish_tokens.published_by'])
    .where('token_hash', '=', sha256(token))
    .where('publish_tokens.expires_at', '>', now)
    .executeTakeFirst();
