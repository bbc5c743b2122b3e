import type { CapabilityJudgementRow, CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { type Judgement, pairOf } from './groups.ts';
import { capabilitiesById, type Db, judgementsAt, linksAt, pointingTo, traitsOfIds } from './link-store.ts';
import { changedRows, type Neighbourhood, standingsOf } from './standings.ts';
import type { Traits } from './traits.ts';

/** Makes the groups around some capabilities anew. Reads only, and answers the rows that are to be saved. */

/** What is to be saved, and is taken for saved already. */
export interface Coming {
  rows: ReadonlyMap<string, CapabilityRow>;
  /** By `pairOf`; null is to go. */
  links: ReadonlyMap<string, CapabilityLinkRow | null>;
}

export interface Regrouping {
  coming?: Coming;
  /** What is known already, by id. */
  traits?: ReadonlyMap<string, Traits>;
  /** Whose content changed: what stands for them is touched even where no group changes. */
  touched?: readonly string[];
}

const NOTHING: Coming = { rows: new Map(), links: new Map() };

/** Their `seq` and `updated_at` are for whoever saves them. */
export async function regroup(
  db: Db,
  seeds: readonly string[],
  { coming = NOTHING, traits = new Map(), touched = [] }: Regrouping,
): Promise<CapabilityRow[]> {
  const near = await neighbourhood(db, seeds, coming);
  return changedRows(near.rows, standingsOf(near, await knownTraits(db, near, traits)), touched);
}

/** Everything that a link, a judgement or a present group joins to these, however far. */
async function neighbourhood(db: Db, seeds: readonly string[], coming: Coming): Promise<Neighbourhood> {
  const rows = new Map<string, CapabilityRow>();
  const links = new Map<string, CapabilityLinkRow>();
  const judged = new Map<string, CapabilityJudgementRow>();
  const looked = new Set<string>();
  const added = Map.groupBy(
    [...coming.links.values()]
      .filter((it) => it !== null)
      .flatMap((it) => [
        { end: it.a_id, it },
        { end: it.b_id, it },
      ]),
    ({ end }) => end,
  );
  let frontier = [...new Set(seeds)];
  while (frontier.length > 0) {
    for (const id of frontier) looked.add(id);
    const next = new Set<string>();
    for (const row of await withGroups(db, frontier, coming)) {
      rows.set(row.id, row);
      next.add(row.id);
    }
    const standing = (await linksAt(db, frontier)).filter((it) => !coming.links.has(pairOf(it.a_id, it.b_id)));
    for (const link of [...standing, ...frontier.flatMap((id) => added.get(id)?.map(({ it }) => it) ?? [])]) {
      links.set(pairOf(link.a_id, link.b_id), link);
      next.add(link.a_id).add(link.b_id);
    }
    for (const it of await judgementsAt(db, frontier)) {
      judged.set(it.id, it);
      next.add(it.a_id).add(it.b_id);
    }
    frontier = [...next].filter((id) => !looked.has(id));
  }
  return { rows, links: [...links.values()], judgements: newestOfPairs([...judged.values()]) };
}

/** These, and all that point to what they point to. */
async function withGroups(db: Db, ids: readonly string[], { rows }: Coming): Promise<CapabilityRow[]> {
  const own = new Map((await capabilitiesById(db, ids)).map((it) => [it.id, it]));
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) own.set(id, row);
  }
  const stand = [...new Set([...own.values()].map((it) => it.stands_id))];
  return [...own.values(), ...(await pointingTo(db, stand)).map((it) => rows.get(it.id) ?? it)];
}

export function newestOfPairs(rows: readonly CapabilityJudgementRow[]): Judgement[] {
  const newest = new Map<string, Judgement>();
  for (const { a_id, b_id, is_same } of rows.toSorted((x, y) => (x.id < y.id ? 1 : -1)))
    if (!newest.has(pairOf(a_id, b_id))) newest.set(pairOf(a_id, b_id), { a: a_id, b: b_id, is_same: is_same === 1 });
  return [...newest.values()];
}

/** Only what is linked or judged can be kept apart by what it says of itself. */
async function knownTraits(db: Db, { links, judgements }: Neighbourhood, given: ReadonlyMap<string, Traits>) {
  const ids = new Set([
    ...links.flatMap(({ a_id, b_id }) => [a_id, b_id]),
    ...judgements.flatMap(({ a, b }) => [a, b]),
  ]);
  const missing = [...ids].filter((id) => !given.has(id));
  return new Map([...given, ...(await traitsOfIds(db, missing))]);
}
