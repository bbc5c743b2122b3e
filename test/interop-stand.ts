import { after } from 'node:test';
import { lazySeq } from '#catalog/changes/changes.ts';
import { readEarlier } from '#catalog/details/earlier-versions.ts';
import type { Listing } from '#catalog/items/item.ts';
import { removeListings, saveListings } from '#catalog/items/items.ts';
import { readVerification } from '#marketplace/proof/verification-of.ts';
import { serverNames } from '#surfaces/servers/server-names.ts';
import { testBlobs } from './blobs.ts';
import { openTestDatabase } from './databases.ts';

/** A database with listings, and what the interop feature's handlers are given beside it. */

const BASE_URL = 'https://capstan.example.com';
export const NOW = '2026-03-01T00:00:00.000Z';

export async function interopStand(listings: Listing[], gone: Listing[] = []) {
  const database = await openTestDatabase();
  after(database.close);
  await saveAll(database.db, [...listings, ...gone]);
  await removeAll(database.db, gone);
  const clock = { now: () => Date.parse(NOW) };
  const blobs = testBlobs();
  const reverse_domain = 'com.example.capstan';
  return {
    db: database.db,
    base_url: BASE_URL,
    reverse_domain,
    names: serverNames(reverse_domain),
    clock,
    verification: readVerification({ db: database.db, clock }),
    earlier: readEarlier({ db: database.db, blobs }),
    blobs,
    /** As where nothing was indexed yet: what only the index knows is not asked of it. */
    catalog: { isReady: true, version: '1', items: () => ({ total_count: 0, items: [] }) },
  };
}

type Db = Parameters<typeof saveListings>[0];

let runs = 0;

/** Each call is one change. */
export const saveAll = (db: Db, listings: Listing[], now = NOW): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const save = { run: 'r', now, seq: lazySeq(trx) };
    for (const provider of new Set(listings.map((listing) => listing.provider_id)))
      await saveListings(
        trx,
        provider,
        listings.filter((listing) => listing.provider_id === provider),
        // A run counts a listing once.
        { ...save, run: `r${++runs}` },
      );
  });

export const removeAll = (db: Db, gone: Listing[], now = NOW): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const save = { run: 'r', now, seq: lazySeq(trx) };
    for (const listing of gone) await removeListings(trx, listing.provider_id, [listing.external_id], save);
  });
