import type { Kysely } from 'kysely';
import type { ListingReadmeRow, Schema } from '#core/db/schema.ts';
import { readmeDigest } from './facts.ts';
import { storable } from './listing-row.ts';
import { type ListingKey, listingKey } from './read-items.ts';

/** The README or SKILL.md of listings whose record has it: the only SQL that names `listing_readmes`. */

type Db = Kysely<Schema>;

const READMES_PER_INSERT = 50;

/** '' if there is none. */
export async function readmeOf(db: Db, { provider_id, external_id }: ListingKey): Promise<string> {
  const row = await db
    .selectFrom('listing_readmes')
    .select('text')
    .where('provider_id', '=', provider_id)
    .where('external_id', '=', external_id)
    .executeTakeFirst();
  return row?.text ?? '';
}

/** By provider and id, separated by a space. */
export async function readmesOf(db: Db, keys: readonly ListingKey[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [provider, some] of Map.groupBy(keys, ({ provider_id }) => provider_id)) {
    const rows = await db
      .selectFrom('listing_readmes')
      .select(['provider_id', 'external_id', 'text'])
      .where('provider_id', '=', provider)
      .where(
        'external_id',
        'in',
        some.map(({ external_id }) => external_id),
      )
      .execute();
    for (const row of rows) found.set(listingKey(row), row.text);
  }
  return found;
}

/** Replaces the texts of saved listings of one provider; '' deletes one. */
export async function saveReadmes(db: Db, provider_id: string, texts: ReadonlyMap<string, string>): Promise<void> {
  if (texts.size === 0) return;
  await db
    .deleteFrom('listing_readmes')
    .where('provider_id', '=', provider_id)
    .where('external_id', 'in', [...texts.keys()])
    .execute();
  const rows: ListingReadmeRow[] = [...texts]
    .filter(([, text]) => text !== '')
    .map(([external_id, text]) => ({ provider_id, external_id, digest: readmeDigest(text), text: storable(text) }));
  for (let at = 0; at < rows.length; at += READMES_PER_INSERT)
    await db
      .insertInto('listing_readmes')
      .values(rows.slice(at, at + READMES_PER_INSERT))
      .execute();
}
