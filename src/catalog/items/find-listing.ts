import type { Kysely } from 'kysely';
import { catalogProblem } from '#catalog/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { currentId } from './aliases.ts';
import { TOMBSTONE_MS } from './item.ts';
import { findRow } from './read-items.ts';
import { listingTakenDown } from './taken-down.ts';

/** Resolves `/registry/{provider}/{id}` and its `/md` to a listing and a format. */

type Found =
  | { kind: 'listing'; row: ListingRow; markdown: boolean }
  /** The id is a former one; the current one is `external_id`. */
  | { kind: 'moved'; external_id: string; markdown: boolean };

const SUFFIX = '/md';

/**
 * A listing whose id is the whole path wins; then a final `/md` means the Markdown of the id before it; then former ids and
 * tombstones. Throws `registry.gone` (`listing_removed`), `registry.gone` (`listing_taken_down`) or `registry.not_found`.
 */
export async function findListing(db: Kysely<Schema>, provider_id: string, id: string, now_ms: number): Promise<Found> {
  // PostgreSQL rejects NUL, and no id contains it.
  if (id.includes('\0')) throw notFound(provider_id);
  const row = await findRow(db, { provider_id, external_id: id });
  if (row?.removed_at === null) return { kind: 'listing', row, markdown: false };
  if (row?.taken_down != null) throw listingTakenDown(row);
  const base = id.endsWith(SUFFIX) ? id.slice(0, -SUFFIX.length) : '';
  const baseRow = base === '' ? undefined : await findRow(db, { provider_id, external_id: base });
  if (baseRow?.removed_at === null) return { kind: 'listing', row: baseRow, markdown: true };
  if (baseRow?.taken_down != null) throw listingTakenDown(baseRow);
  const moved =
    (await movedTo(db, provider_id, id, false)) ?? (base === '' ? null : await movedTo(db, provider_id, base, true));
  if (moved !== null) return moved;
  throw gone(row, now_ms) ?? gone(baseRow, now_ms) ?? notFound(provider_id);
}

async function movedTo(
  db: Kysely<Schema>,
  provider_id: string,
  alias: string,
  markdown: boolean,
): Promise<Found | null> {
  const external_id = await currentId(db, provider_id, alias);
  if (external_id === null) return null;
  const row = await findRow(db, { provider_id, external_id });
  return row?.removed_at === null ? { kind: 'moved', external_id, markdown } : null;
}

function gone(row: ListingRow | undefined, nowMs: number): Problem | null {
  if (row === undefined || row.removed_at === null || row.removed_at < isoTime(nowMs - TOMBSTONE_MS)) return null;
  const { provider_id, external_id, removed_at, seq } = row;
  return catalogProblem('registry.gone', `The provider removed the listing (noticed ${removed_at}).`, {
    reason: 'listing_removed',
    extensions: { tombstone: { provider_id, external_id, removed_at, seq } },
  });
}

export const notFound = (provider_id: string): Problem =>
  catalogProblem('registry.not_found', `${provider_id} has no listing with this id; ids are case-sensitive.`);
