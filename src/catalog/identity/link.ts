import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { countAfter, keysOf, type Pair, pairOf, pairsToJudge } from './blocking.ts';
import { memberRowOf, publishedOf } from './capabilities.ts';
import { regroup } from './clustering.ts';
import { linksAmong } from './compare.ts';
import { linkWhole } from './link-all.ts';
import { RULES, readCounters } from './progress.ts';
import { type LinkDb, type LinkOptions, NO_CHANGE, type PageOptions, type Plan, paceOf, saved } from './save.ts';
import {
  type Changed,
  capabilitiesById,
  capabilitiesOf,
  changedListings,
  changedPublished,
  countJudgements,
  countListings,
  type Db,
  freshRow,
  isOther,
  keysOfIds,
  linksAt,
  listingKey,
  type Place,
  setCounter,
  traitsOfIds,
} from './store.ts';
import { digestOf, type Traits, traitsOf } from './traits.ts';

/** Follows the changes of listings and of what is published, page by page: worked out first, then saved in a transaction. */

/** Everything that is to be looked at. Answers how many listings that were. */
export async function linkAll(db: LinkDb, options: LinkOptions): Promise<number> {
  await startAnewWithOtherRules(db);
  const pace = paceOf(options.page);
  let looked = 0;
  if (options.isWorthWhole?.(await countListings(db, (await readCounters(db))('capabilities_listings')))) {
    const whole = await linkWhole(db, { ...options, pace });
    // Nothing may follow one that was stopped: how far it went is not saved.
    if (whole === null) return looked;
    looked += whole;
    options.onPage?.(whole);
  }
  let place: Place | null = null;
  do {
    const page: { looked: number; next: Place | null } = await linkPage(db, place, { ...options, pace });
    ({ next: place } = page);
    looked += page.looked;
    options.onPage?.(page.looked);
    // Where this runs on the serving thread, requests come first.
    await new Promise((resolve) => setImmediate(resolve));
  } while (place !== null && options.signal?.aborted !== true);
  for (let more = true; more && options.signal?.aborted !== true; )
    more = await publishedPage(db, { ...options, pace });
  return looked;
}

async function startAnewWithOtherRules(db: LinkDb): Promise<void> {
  if ((await readCounters(db))('capabilities_rules') === RULES) return;
  await db.transaction(async (trx) => {
    await setCounter(trx, 'capabilities_listings', 0);
    await setCounter(trx, 'capabilities_rules', RULES);
  });
}

/** `place` is where the page before ended; after a restart the counter says where, and some is looked at twice. */
async function linkPage(
  db: LinkDb,
  place: Place | null,
  { pace, now }: PageOptions,
): Promise<{ looked: number; next: Place | null }> {
  const at = await readCounters(db);
  const newest = at('listings');
  // Behind the last listing of its number: no provider's id comes after it.
  const from = place ?? { seq: at('capabilities_listings'), provider_id: '~', external_id: '' };
  const limit = pace.size();
  const changed = await changedListings(db, from, limit);
  const last = changed.at(-1);
  const is_last = last === undefined || changed.length < limit;
  const done = is_last ? Math.max(newest, last?.seq ?? 0) : last.seq - 1;
  const save = (plan: Plan) =>
    saved(db, plan, { pace, now, counter: (trx) => setCounter(trx, 'capabilities_listings', done) });
  if (!(await save(await planListings(db, changed, now())))) return { looked: 0, next: from };
  if (is_last) return { looked: changed.length, next: null };
  return {
    looked: changed.length,
    next: { seq: last.seq, provider_id: last.provider_id, external_id: last.external_id },
  };
}

async function publishedPage(db: LinkDb, { page, pace, now }: PageOptions): Promise<boolean> {
  const at = await readCounters(db);
  const newest = at('published');
  const changed = await changedPublished(db, at('capabilities_published'), page);
  const is_more = changed.length >= page;
  const done = is_more ? (changed.at(-1)?.seq ?? newest) : newest;
  const ids = changed.map(({ id }) => id);
  const is_saved = await saved(db, await planPublished(db, ids, now()), {
    pace,
    now,
    counter: (trx: Db) => setCounter(trx, 'capabilities_published', done),
  });
  return !is_saved || is_more;
}

/** What a page of changed listings comes to: capabilities, keys, links, groups. Reads only. */

interface Moved {
  row: CapabilityRow;
  /** Null where its listing is gone. */
  traits: Traits | null;
}

export async function planListings(db: Db, changed: readonly Changed[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (changed.length === 0) return { ...NO_CHANGE, judgements };
  const { rows, moved } = await takenIn(db, changed, now);
  const traits = new Map(moved.flatMap(({ row, traits: it }) => (it === null ? [] : [[row.id, it] as const])));
  const change = await relinked(db, moved, traits);
  const touched = rows.map(({ id }) => id);
  const coming = { rows: new Map(rows.map((it) => [it.id, it])), links: change.comingLinks };
  const seeds = [...new Set([...touched, ...[...coming.links.keys()].flatMap((it) => it.split('\n'))])];
  return { judgements, ...change, rows: await regroup(db, seeds, { coming, traits, touched }) };
}

/** Rows of what changed, and of which something changed that identity is judged by. */
async function takenIn(db: Db, changed: readonly Changed[], now: string) {
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
      ...(before ?? freshRow(newId(), listing, now)),
      listing_type: listing.listing_type,
      is_live,
      traits: digest,
    };
    rows.push(row);
    if (before?.traits !== digest) moved.push({ row, traits });
  }
  return { rows, moved };
}

/** How the keys and links of these are to be put in order. */
async function relinked(db: Db, moved: readonly Moved[], given: ReadonlyMap<string, Traits>) {
  const ids = moved.map(({ row }) => row.id);
  const before = await keysOfIds(db, ids);
  const after = [...given].flatMap(([id, it]) => keysOf(it).map((key) => ({ id, key, shelf: it.shelf })));
  const change = { before, after, ids: new Set(ids) };
  const pairs = await pairsToJudge(db, change);
  const missing = [...new Set(pairs.flat())].filter((id) => !given.has(id));
  const traits = new Map([...given, ...(await traitsOfIds(db, missing))]);
  const wanted = await linksAmong(pairs, traits, countAfter(db, change));
  return { moved: ids, keys: after, ...(await linkDifference(db, { wanted, pairs, ids: change.ids })) };
}

async function linkDifference(
  db: Db,
  { wanted, pairs, ids }: { wanted: readonly CapabilityLinkRow[]; pairs: readonly Pair[]; ids: ReadonlySet<string> },
) {
  const judged = new Set(pairs.map(([a, b]) => pairOf(a, b)));
  const next = new Map(wanted.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const near = await linksAt(db, [...new Set([...ids, ...pairs.flat()])]);
  const old = new Map(near.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const gone = near.filter(({ a_id, b_id }) => {
    const pair = pairOf(a_id, b_id);
    return !next.has(pair) && (judged.has(pair) || ids.has(a_id) || ids.has(b_id));
  });
  const links = wanted.filter((it) => isOther(old.get(pairOf(it.a_id, it.b_id)), it));
  const comingLinks = new Map<string, CapabilityLinkRow | null>(links.map((it) => [pairOf(it.a_id, it.b_id), it]));
  for (const it of gone) comingLinks.set(pairOf(it.a_id, it.b_id), null);
  return { gone, links, comingLinks };
}

/** What is published here is a capability of its own; nothing but an operator's word merges it. */
export async function planPublished(db: Db, ids: readonly string[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (ids.length === 0) return { ...NO_CHANGE, judgements };
  const known = new Map((await capabilitiesById(db, ids)).map((it) => [it.id, it]));
  const rows = [...(await publishedOf(db, ids))].flatMap(([id, it]): CapabilityRow[] => {
    const is_live = memberRowOf(it) === null ? 0 : 1;
    const before = known.get(id);
    if (before === undefined && is_live === 0) return [];
    const { listing_type } = it.listing;
    const own = before ?? freshRow(id, { provider_id: OWN_SOURCE, external_id: id, listing_type }, now);
    return [{ ...own, listing_type, is_live, traits: '' }];
  });
  const touched = rows.map(({ id }) => id);
  const coming = { rows: new Map(rows.map((it) => [it.id, it])), links: new Map() };
  return { ...NO_CHANGE, judgements, rows: await regroup(db, touched, { coming, touched }) };
}
