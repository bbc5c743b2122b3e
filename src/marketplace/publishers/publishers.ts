import { type Kysely, sql } from 'kysely';
import { isNear } from '#catalog/search/text/confusable.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublisherRow } from '#core/db/schema-publishing.ts';
import { newId } from '#core/ids.ts';

/** Publishers: the only SQL that writes `publishers`. */

type Db = Kysely<Schema>;

export const findPublisher = (db: Db, id: string): Promise<PublisherRow | undefined> =>
  db.selectFrom('publishers').selectAll().where('id', '=', id).executeTakeFirst();

/** Names belong to one publisher each. */
export const findPublisherNamed = (db: Db, name: string): Promise<PublisherRow | undefined> =>
  db.selectFrom('publishers').selectAll().where('name', '=', name).where('closed_at', 'is', null).executeTakeFirst();

export const findPublisherOf = (db: Db, user_id: string): Promise<PublisherRow | undefined> =>
  db.selectFrom('publishers').selectAll().where('user_id', '=', user_id).executeTakeFirst();

/** A publisher with a confusable name. Of closed publishers, only the digest of the skeleton is compared. */
export async function findPublisherLike(db: Db, look: string): Promise<PublisherRow | undefined> {
  const same = await db
    .selectFrom('publishers')
    .selectAll()
    .where('look', 'in', [look, closedLook(look)])
    .executeTakeFirst();
  return same ?? (await findNear(db, look));
}

async function findNear(db: Db, look: string): Promise<PublisherRow | undefined> {
  const chars = sql<number>`length(look)`;
  const candidates = await db
    .selectFrom('publishers')
    .selectAll()
    .where('closed_at', 'is', null)
    .where(chars, '>=', look.length - 1)
    .where(chars, '<=', look.length + 1)
    .execute();
  return candidates.find((candidate) => isNear(look, candidate.look));
}

export async function insertPublisher(db: Db, added: Pick<PublisherRow, 'user_id' | 'name' | 'look' | 'created_at'>) {
  const publisher: PublisherRow = { ...added, id: newId(), closed_at: null };
  await db.insertInto('publishers').values(publisher).execute();
  return publisher;
}

/** Removes all personal data of the publisher. The name stays reserved. */
export async function closePublisher(db: Db, { id, look }: PublisherRow, now: string): Promise<void> {
  const name = `deleted-${id.slice(-12)}`;
  await db
    .updateTable('publishers')
    .set({ user_id: null, name, look: closedLook(look), closed_at: now })
    .where('id', '=', id)
    .execute();
}

const closedLook = (look: string): string => `sha256:${sha256(look)}`;

/** Publishers with a current listing. */
export async function countPublishers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('published_listings')
    .select(({ fn }) => fn.count<number>('publisher_id').distinct().as('count'))
    .where('status', '=', 'live')
    .executeTakeFirstOrThrow();
  return Number(count);
}
