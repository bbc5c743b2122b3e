import type { Kysely } from 'kysely';
import { currentId } from '#catalog/items/aliases.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { membersOf } from './capabilities.ts';
import { readName } from './read-name.ts';
import { inOrder } from './survivorship.ts';

/** Looks up what names lead to. The form of a name decides where; nothing is guessed. */

type Db = Kysely<Schema>;

/**
 * The id of the current capability for an id, `publisher/name` or `provider/external_id`, former ones included. For a published
 * listing that is not linked yet, its own id. Null if nothing has this name.
 */
export async function capabilityNamed(db: Db, text: string): Promise<string | null> {
  const id = await idNamed(db, text);
  return id === null ? null : ((await standingFor(db, id)) ?? (await publishedId(db, id)));
}

/** The own id of the listing that a name leads to, merged or not. An id is returned as it is; null if nothing has this name. */
export async function idNamed(db: Db, text: string): Promise<string | null> {
  // PostgreSQL rejects NUL, and no name contains it.
  const name = text.includes('\0') ? null : readName(text);
  if (name?.form === 'id') return name.id;
  if (name?.form === 'listing') return listedId(db, name.provider, name.external_id);
  return name?.form === 'published' ? idOfPublished(db, name.publisher, name.name) : null;
}

/** A listing of a provider, or, with the provider `capstan`, one that is published here. */
interface NamedPlace {
  provider: string;
  external_id: string;
}

export type ReadPlaces = (name: string) => Promise<NamedPlace[]>;

/** The listings that a name leads to, most trusted first; empty if there are none. */
export const placesNamed =
  ({ db, engine }: Pick<Database, 'db' | 'engine'>): ReadPlaces =>
  async (text) => {
    const name = text.includes('\0') ? null : readName(text);
    if (name?.form === 'listing') return [{ provider: name.provider, external_id: name.external_id }];
    const id = await capabilityNamed(db, text);
    if (id === null) return [];
    const members = inOrder(await membersOf(connectionOver(db, engine), [id]));
    // What is published is linked a moment later.
    return members.length === 0
      ? [{ provider: OWN_SOURCE, external_id: id }]
      : members.map(({ provider_id: provider, external_id }) => ({ provider, external_id }));
  };

async function standingFor(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('capabilities').select('stands_id').where('id', '=', id).executeTakeFirst();
  return row?.stands_id ?? null;
}

async function publishedId(db: Db, id: string): Promise<string | null> {
  return (await db.selectFrom('published_listings').select('id').where('id', '=', id).executeTakeFirst())?.id ?? null;
}

async function idOfPublished(db: Db, publisher: string, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('published_listings')
    .innerJoin('publishers', 'publishers.id', 'published_listings.publisher_id')
    .select('published_listings.id')
    .where('publishers.name', '=', publisher)
    .where('published_listings.name', '=', name)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function listedId(db: Db, provider: string, external_id: string): Promise<string | null> {
  const found = await idOfListing(db, provider, external_id);
  if (found !== null) return found;
  const current = await currentId(db, provider, external_id);
  return current === null ? null : idOfListing(db, provider, current);
}

async function idOfListing(db: Db, provider_id: string, external_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('capabilities')
    .select('id')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .executeTakeFirst();
  return row?.id ?? null;
}
