import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { countAfter, keysOf, type Pair, pairOf, pairsToCompare } from './blocking.ts';
import { memberRowOf, publishedOf } from './capabilities.ts';
import { regroup } from './clustering.ts';
import { linksAmong } from './compare.ts';
import { linkAll } from './link-all.ts';
import { RULES, readCounters } from './progress.ts';
import { type LinkDb, type LinkOptions, NO_CHANGE, type PageOptions, type Plan, paceOf, savePlan } from './save.ts';
import {
  type ChangedListing,
  capabilitiesById,
  capabilitiesOf,
  changedListings,
  changedPublished,
  countJudgements,
  countListings,
  type Db,
  isLinkChanged,
  keysOfIds,
  linksAt,
  listingKey,
  newCapability,
  type Place,
  setCounter,
  traitsOfIds,
} from './store.ts';
import { digestOf, type Traits, traitsOf } from './traits.ts';

/** Incremental linking: follows the changes of provider listings and published listings, page by page. */

/** Links everything that changed. Returns the number of provider listings processed. */
export async function linkChanged(db: LinkDb, options: LinkOptions): Promise<number> {
  await restartIfRulesChanged(db);
  const pace = paceOf(options.page);
  let processed = 0;
  if (options.isWorthLinkingAll?.(await countListings(db, (await readCounters(db))('capabilities_listings')))) {
    const all = await linkAll(db, { ...options, pace });
    // After an interruption, pages must not follow: the progress was not saved.
    if (all === null) return processed;
    processed += all;
  }
  let place: Place | null = null;
  do {
    const page: { processed: number; next: Place | null } = await linkPage(db, place, { ...options, pace });
    ({ next: place } = page);
    processed += page.processed;
    // On the serving thread, requests come first.
    await new Promise((resolve) => setImmediate(resolve));
  } while (place !== null && options.signal?.aborted !== true);
  for (let more = true; more && options.signal?.aborted !== true; )
    more = await linkPublishedPage(db, { ...options, pace });
  return processed;
}

async function restartIfRulesChanged(db: LinkDb): Promise<void> {
  if ((await readCounters(db))('capabilities_rules') === RULES) return;
  await db.transaction(async (trx) => {
    await setCounter(trx, 'capabilities_listings', 0);
    await setCounter(trx, 'capabilities_rules', RULES);
  });
}

/**
 * `place` is where the previous page ended. The counter stores only sequence numbers, so after a restart some listings of the
 * last number are processed twice.
 */
async function linkPage(
  db: LinkDb,
  place: Place | null,
  { pace, now }: PageOptions,
): Promise<{ processed: number; next: Place | null }> {
  const at = await readCounters(db);
  const newest = at('listings');
  // '~' sorts after every provider id, so this place is behind the last listing of its number.
  const from = place ?? { seq: at('capabilities_listings'), provider_id: '~', external_id: '' };
  const limit = pace.size();
  const changed = await changedListings(db, from, limit);
  const last = changed.at(-1);
  const isLast = last === undefined || changed.length < limit;
  const done = isLast ? Math.max(newest, last?.seq ?? 0) : last.seq - 1;
  const save = (plan: Plan) =>
    savePlan(db, plan, { pace, now, counter: (trx) => setCounter(trx, 'capabilities_listings', done) });
  if (!(await save(await planListings(db, changed, now())))) return { processed: 0, next: from };
  if (isLast) return { processed: changed.length, next: null };
  return {
    processed: changed.length,
    next: { seq: last.seq, provider_id: last.provider_id, external_id: last.external_id },
  };
}

/** Returns whether there are more pages. */
async function linkPublishedPage(db: LinkDb, { page, pace, now }: PageOptions): Promise<boolean> {
  const at = await readCounters(db);
  const newest = at('published');
  const changed = await changedPublished(db, at('capabilities_published'), page);
  const isMore = changed.length >= page;
  const done = isMore ? (changed.at(-1)?.seq ?? newest) : newest;
  const ids = changed.map(({ id }) => id);
  const isSaved = await savePlan(db, await planPublished(db, ids, now()), {
    pace,
    now,
    counter: (trx: Db) => setCounter(trx, 'capabilities_published', done),
  });
  return !isSaved || isMore;
}

interface Moved {
  row: CapabilityRow;
  /** Null if the listing was removed. */
  traits: Traits | null;
}

/** Works out the rows, keys, links and groups to save for a page of changed listings. Only reads. */
async function planListings(db: Db, changed: readonly ChangedListing[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (changed.length === 0) return { ...NO_CHANGE, judgements };
  const { rows, moved } = await changedCapabilitiesOf(db, changed, now);
  const traits = new Map(moved.flatMap(({ row, traits: own }) => (own === null ? [] : [[row.id, own] as const])));
  const change = await relink(db, moved, traits);
  const touched = rows.map(({ id }) => id);
  const pending = { rows: new Map(rows.map((row) => [row.id, row])), links: change.pendingLinks };
  const seeds = [...new Set([...touched, ...[...pending.links.keys()].flatMap((pair) => pair.split('\n'))])];
  return { judgements, ...change, rows: await regroup(db, seeds, { pending, traits, touched }) };
}

/** Rows of the changed listings; `moved` are those whose traits changed. */
async function changedCapabilitiesOf(db: Db, changed: readonly ChangedListing[], now: string) {
  const known = await capabilitiesOf(db, changed);
  const rows: CapabilityRow[] = [];
  const moved: Moved[] = [];
  for (const listing of changed) {
    const before = known.get(listingKey(listing));
    const is_live = listing.removed_at === null ? 1 : 0;
    if (before === undefined && is_live === 0) continue;
    const traits = is_live === 1 ? traitsOf(listing) : null;
    const digest = traits === null ? '' : digestOf(traits);
    const row: CapabilityRow = {
      ...(before ?? newCapability(newId(), listing, now)),
      listing_type: listing.listing_type,
      is_live,
      traits: digest,
    };
    rows.push(row);
    if (before?.traits !== digest) moved.push({ row, traits });
  }
  return { rows, moved };
}

/** The new keys of the moved capabilities, and how links change because of them. */
async function relink(db: Db, moved: readonly Moved[], given: ReadonlyMap<string, Traits>) {
  const ids = moved.map(({ row }) => row.id);
  const before = await keysOfIds(db, ids);
  const after = [...given].flatMap(([id, own]) => keysOf(own).map((key) => ({ id, key, shelf: own.shelf })));
  const change = { before, after, ids: new Set(ids) };
  const pairs = await pairsToCompare(db, change);
  const missing = [...new Set(pairs.flat())].filter((id) => !given.has(id));
  const traits = new Map([...given, ...(await traitsOfIds(db, missing))]);
  const wanted = await linksAmong(pairs, traits, countAfter(db, change));
  return { moved: ids, keys: after, ...(await linkDifference(db, { wanted, pairs, ids: change.ids })) };
}

async function linkDifference(
  db: Db,
  { wanted, pairs, ids }: { wanted: readonly CapabilityLinkRow[]; pairs: readonly Pair[]; ids: ReadonlySet<string> },
) {
  const compared = new Set(pairs.map(([a, b]) => pairOf(a, b)));
  const next = new Map(wanted.map((link) => [pairOf(link.a_id, link.b_id), link]));
  const near = await linksAt(db, [...new Set([...ids, ...pairs.flat()])]);
  const old = new Map(near.map((link) => [pairOf(link.a_id, link.b_id), link]));
  const gone = near.filter(({ a_id, b_id }) => {
    const pair = pairOf(a_id, b_id);
    return !next.has(pair) && (compared.has(pair) || ids.has(a_id) || ids.has(b_id));
  });
  const links = wanted.filter((link) => isLinkChanged(old.get(pairOf(link.a_id, link.b_id)), link));
  const pendingLinks = new Map<string, CapabilityLinkRow | null>(
    links.map((link) => [pairOf(link.a_id, link.b_id), link]),
  );
  for (const { a_id, b_id } of gone) pendingLinks.set(pairOf(a_id, b_id), null);
  return { gone, links, pendingLinks };
}

/** A published listing is a separate capability. It has no traits, so only an operator can merge it. */
async function planPublished(db: Db, ids: readonly string[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (ids.length === 0) return { ...NO_CHANGE, judgements };
  const known = new Map((await capabilitiesById(db, ids)).map((row) => [row.id, row]));
  const rows = [...(await publishedOf(db, ids))].flatMap(([id, published]): CapabilityRow[] => {
    const is_live = memberRowOf(published) === null ? 0 : 1;
    const before = known.get(id);
    if (before === undefined && is_live === 0) return [];
    const { listing_type } = published.listing;
    const own = before ?? newCapability(id, { provider_id: OWN_SOURCE, external_id: id, listing_type }, now);
    return [{ ...own, listing_type, is_live, traits: '' }];
  });
  const touched = rows.map(({ id }) => id);
  const pending = { rows: new Map(rows.map((row) => [row.id, row])), links: new Map() };
  return { ...NO_CHANGE, judgements, rows: await regroup(db, touched, { pending, touched }) };
}
