import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { readCounters } from './behind.ts';
import { type Catalogue, linksIn, readCatalogue } from './catalogue.ts';
import { pairOf } from './groups.ts';
import { isOther } from './link-page.ts';
import { countJudgements, setCounter } from './link-store.ts';
import { neighbourhoodsOf } from './neighbourhoods.ts';
import { type LinkDb, NO_CHANGE, type PageOptions, type Plan, saved } from './plan.ts';
import { newestOfPairs } from './regroup.ts';
import { changedRows, standingsOf } from './standings.ts';
import { allCapabilities, allJudgements, allLinks, countListings } from './whole-store.ts';

/**
 * Links all listings at once, to the same groups that come out page by page: each pair is judged one time, with all keys in
 * memory. Only where much of everything changed. Interrupted, it is done again: how far it went is saved at its end.
 */

/** It holds some 3.5 KB of each; the linking thread may have 400 MB. */
const MOST_LISTINGS = 100_000;
const LEAST_CHANGED = 2_000;

/** Whether linking everything costs less than taking in what changed. */
export const isWorthWhole = ({ all, changed }: { all: number; changed: number }): boolean =>
  all <= MOST_LISTINGS && changed >= LEAST_CHANGED && changed * 4 >= all;

/** Answers how many listings had changed; null where it was told to stop. */
export async function linkWhole(db: LinkDb, options: PageOptions): Promise<number | null> {
  const { pace, now, signal } = options;
  const at = await readCounters(db);
  const since = at('capabilities_listings');
  const { changed } = await countListings(db, since);
  const catalogue = await readCatalogue(db, since, now());
  const links = await linksIn(catalogue, signal);
  for (;;) {
    const judgements = await countJudgements(db);
    const save = async (plan: Partial<Plan>): Promise<boolean> => {
      await new Promise((resolve) => setImmediate(resolve));
      return signal?.aborted !== true && saved(db, { ...NO_CHANGE, ...plan, judgements }, { pace, now });
    };
    if ((await saveGroups(db, catalogue, links, save, options)) && (await saveLinksOf(db, links, save, options))) break;
    if (signal?.aborted === true) return null;
    // An operator has judged meanwhile: what is saved is read anew, and groups are made around that.
    for await (const page of allCapabilities(db))
      for (const { id, stands_id, evidence, confidence } of page)
        catalogue.rows.set(id, { ...(catalogue.rows.get(id) as CapabilityRow), stands_id, evidence, confidence });
  }
  await db.transaction((trx) => setCounter(trx, 'capabilities_listings', at('listings')));
  return changed;
}

type Save = (plan: Partial<Plan>) => Promise<boolean>;

/** Pages of whole neighbourhoods, so that whoever reads in between sees groups that are whole. */
async function saveGroups(
  db: LinkDb,
  catalogue: Catalogue,
  links: readonly CapabilityLinkRow[],
  save: Save,
  { pace }: PageOptions,
): Promise<boolean> {
  const { rows, traits, touched } = catalogue;
  let page: CapabilityRow[] = [];
  for (const near of neighbourhoodsOf(rows, links, newestOfPairs(await allJudgements(db)))) {
    const ours = [...near.rows.keys()].filter((id) => touched.has(id));
    page.push(...changedRows(near.rows, standingsOf(near, traits), ours));
    if (page.length < pace.size()) continue;
    if (!(await savePage(catalogue, page, save))) return false;
    page = [];
  }
  return savePage(catalogue, page, save);
}

/** What is saved is as the catalogue says from then on. */
async function savePage({ rows, index, moved, touched, traits }: Catalogue, page: CapabilityRow[], save: Save) {
  const ours = page.map(({ id }) => id).filter((id) => moved.has(id));
  const keys = ours.flatMap((id) => {
    const [number, shelf] = [moved.get(id) ?? null, traits.get(id)?.shelf ?? ''];
    return number === null ? [] : index.keysOf(number).map((key) => ({ id, key, shelf }));
  });
  if (!(await save({ rows: page, moved: ours, keys }))) return false;
  for (const row of page) {
    rows.set(row.id, row);
    moved.delete(row.id);
    touched.delete(row.id);
  }
  return true;
}

async function saveLinksOf(
  db: LinkDb,
  links: readonly CapabilityLinkRow[],
  save: Save,
  { pace }: PageOptions,
): Promise<boolean> {
  const left = new Map(links.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const gone: CapabilityLinkRow[] = [];
  for await (const page of allLinks(db))
    for (const was of page) {
      const is = left.get(pairOf(was.a_id, was.b_id));
      if (is === undefined) gone.push(was);
      else if (!isOther(was, is)) left.delete(pairOf(was.a_id, was.b_id));
    }
  const fresh = [...left.values()];
  while (gone.length + fresh.length > 0) {
    const size = pace.size();
    if (!(await save({ gone: gone.splice(0, size), links: fresh.splice(0, size) }))) return false;
  }
  return true;
}
