import { readCounters } from './behind.ts';
import { planListings, planPublished } from './link-page.ts';
import { changedListings, changedPublished, type Db, type Place, setCounter } from './link-store.ts';
import { linkWhole } from './link-whole.ts';
import { paceOf } from './pace.ts';
import { type LinkDb, type LinkOptions, type PageOptions, type Plan, saved } from './plan.ts';
import { RULES } from './rules.ts';
import { countListings } from './whole-store.ts';

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
