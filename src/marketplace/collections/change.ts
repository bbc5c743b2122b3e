import type { Kysely } from 'kysely';
import { nextCapabilitySeq } from '#catalog/identity/capabilities.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf } from '#marketplace/moderation/group.ts';
import { deleteCollection, findCollectionRow, listCollectionRows, saveCollection } from './collections.ts';
import { findCollection } from './shown.ts';

/** Changes of collections by operators, one at a time. */

/** More would no longer be a choice. */
const MOST_COLLECTIONS = 100;

interface Order {
  slug: string;
  title: string;
  description: string;
  position?: number | undefined;
  listings: readonly string[];
  revision: string;
  reason: string;
}

type Deps = Pick<MarketplaceDeps, 'db' | 'clock'>;

export async function save({ db, clock }: Deps, by: By, order: Order): Promise<void> {
  const now = isoTime(clock.now());
  await db.transaction().execute(async (trx) => {
    // Serializes the changes of all operators.
    await nextCapabilitySeq(trx);
    const before = await findCollectionRow(trx, order.slug);
    refuseStale(before?.revision ?? '', order.revision);
    if (before === undefined && (await listCollectionRows(trx)).length >= MOST_COLLECTIONS) throw tooMany();
    const ids = await resolved(trx, order.listings);
    const row = {
      slug: order.slug,
      title: storable(order.title),
      description: storable(order.description),
      place: order.position ?? before?.place ?? 100,
      revision: newId(),
      created_at: before?.created_at ?? now,
      updated_at: now,
    };
    await saveCollection(trx, row, ids);
    const entry = { ...by, action: 'marketplace.save_collection', target: order.slug, reason: order.reason } as const;
    await recordAudit(trx, { ...entry, detail: { listings: ids.length } }, now);
  });
}

export async function remove(
  { db, clock }: Deps,
  by: By,
  { slug, revision, reason }: { slug: string; revision: string; reason: string },
): Promise<void> {
  const now = isoTime(clock.now());
  await db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    refuseStale((await findCollection(trx, slug)).revision, revision);
    await deleteCollection(trx, slug);
    await recordAudit(trx, { ...by, action: 'marketplace.remove_collection', target: slug, reason }, now);
  });
}

/** The current capabilities. Names the first one that does not exist. */
async function resolved(trx: Kysely<Schema>, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, name] of names.entries())
    try {
      ids.push((await groupOf(trx, name)).id);
    } catch (error) {
      if (error instanceof Problem && error.kind === 'not_found') throw noSuchListing(at);
      throw error;
    }
  return [...new Set(ids)];
}

function refuseStale(current: string, seen: string): void {
  if (current === seen) return;
  throw marketplaceProblem(
    'marketplace.collection_conflict',
    seen === ''
      ? 'A collection with this name exists already.'
      : 'The collection has changed. Another operator may have changed it first. Reload it and decide again.',
    { reason: seen === '' ? 'exists' : 'changed' },
  );
}

const noSuchListing = (at: number): Problem =>
  coreProblem('http.invalid', `Listing ${at + 1} of the list does not exist.`, {
    reason: 'input',
    errors: [{ pointer: `/listings/${at}`, detail: 'is not a capability of this service' }],
  });

const tooMany = (): Problem =>
  marketplaceProblem('marketplace.collection_conflict', `There can be ${MOST_COLLECTIONS} collections.`, {
    reason: 'too_many',
  });
