import { readCounters } from './behind.ts';
import { linkListings, linkPublished } from './link-page.ts';
import { changedListings, changedPublished, type Db, type Place, setCounter } from './link-store.ts';
import { RULES } from './rules.ts';

/** Follows the changes of listings and of what is published, page by page, each in a transaction of its own. */

export interface LinkDb extends Db {
  /** Runs `work` in one, and refuses where the work was taken over by another process. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export interface LinkOptions {
  /** How many listings are taken in at once. */
  page: number;
  now(): string;
  signal?: AbortSignal;
  /** Told after each page. */
  onPage?(looked: number): void;
}

/** Everything that is to be looked at. Answers how many listings that were. */
export async function linkAll(db: LinkDb, options: LinkOptions): Promise<number> {
  await db.transaction(startAnewWithOtherRules);
  let looked = 0;
  let place: Place | null = null;
  do {
    const page: { looked: number; next: Place | null } = await db.transaction((trx) => linkPage(trx, place, options));
    ({ next: place } = page);
    looked += page.looked;
    options.onPage?.(page.looked);
    // Where this runs on the serving thread, requests come first.
    await new Promise((resolve) => setImmediate(resolve));
  } while (place !== null && options.signal?.aborted !== true);
  for (let more = true; more && options.signal?.aborted !== true; )
    more = await db.transaction((trx) => publishedPage(trx, options));
  return looked;
}

async function startAnewWithOtherRules(db: Db): Promise<void> {
  if ((await readCounters(db))('capabilities_rules') === RULES) return;
  await setCounter(db, 'capabilities_listings', 0);
  await setCounter(db, 'capabilities_rules', RULES);
}

/** `place` is where the page before ended; after a restart the counter says where, and some is looked at twice. */
async function linkPage(
  db: Db,
  place: Place | null,
  { page, now }: LinkOptions,
): Promise<{ looked: number; next: Place | null }> {
  const at = await readCounters(db);
  const newest = at('listings');
  // Behind the last listing of its number: no provider's id comes after it.
  const from = place ?? { seq: at('capabilities_listings'), provider_id: '~', external_id: '' };
  const changed = await changedListings(db, from, page);
  await linkListings(db, changed, now());
  const last = changed.at(-1);
  if (last === undefined || changed.length < page) {
    await setCounter(db, 'capabilities_listings', Math.max(newest, last?.seq ?? 0));
    return { looked: changed.length, next: null };
  }
  await setCounter(db, 'capabilities_listings', last.seq - 1);
  return {
    looked: changed.length,
    next: { seq: last.seq, provider_id: last.provider_id, external_id: last.external_id },
  };
}

async function publishedPage(db: Db, { page, now }: LinkOptions): Promise<boolean> {
  const at = await readCounters(db);
  const newest = at('published');
  const changed = await changedPublished(db, at('capabilities_published'), page);
  await linkPublished(
    db,
    changed.map(({ id }) => id),
    now(),
  );
  const is_more = changed.length >= page;
  await setCounter(db, 'capabilities_published', is_more ? (changed.at(-1)?.seq ?? newest) : newest);
  return is_more;
}
