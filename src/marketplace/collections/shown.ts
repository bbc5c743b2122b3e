import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { CollectionRow } from '#core/db/schema-collections.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import { shownCapabilities } from '#marketplace/featured/shown.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { capabilitiesIn, findCollectionRow, listCollectionRows } from './collections.ts';

/** Collections as responses show them: without what is flagged, taken down or gone. */

type Deps = Pick<MarketplaceDeps, 'db' | 'engine'>;

export async function readCollections(deps: Deps) {
  const rows = await listCollectionRows(deps.db);
  const listed = await capabilitiesIn(
    deps.db,
    rows.map(({ slug }) => slug),
  );
  const shown = await shownCapabilities(deps, [...new Set([...listed.values()].flat())]);
  return rows.map((row) => briefOf(row, (listed.get(row.slug) ?? []).filter((id) => shown.has(id)).length));
}

/** Throws 404 for an unknown one. */
export async function readCollection(deps: Deps, slug: string) {
  const row = await findCollection(deps.db, slug);
  const ids = (await capabilitiesIn(deps.db, [slug])).get(slug) ?? [];
  const shown = await shownCapabilities(deps, ids);
  const items = ids.flatMap((id) => shown.get(id) ?? []);
  return { ...briefOf(row, items.length), items };
}

const briefOf = ({ slug, title, description, place, revision, updated_at }: CollectionRow, count: number) => ({
  slug,
  title,
  description,
  position: place,
  count,
  revision,
  updated_at,
});

export async function findCollection(db: Kysely<Schema>, slug: string): Promise<CollectionRow> {
  const row = await findCollectionRow(db, slug);
  if (row === undefined) throw noSuchCollection();
  return row;
}

const noSuchCollection = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Collection not found.', { reason: 'collection' });
