import type { Connection } from '#core/db/connection.ts';
import type { CapabilityJudgementRow, CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { pairOf } from './blocking.ts';
import { keptApart } from './compare.ts';
import {
  capabilitiesById,
  type Db,
  judgementsAt,
  linksAt,
  pointingTo,
  saveCapabilities,
  traitsOfIds,
} from './store.ts';
import type { Traits } from './traits.ts';

/** Which listings are one capability, as a function of the set of links: whatever the order they came in. Pure. */

export interface Link {
  a: string;
  b: string;
  confidence: number;
}

export interface GroupRules {
  /** Something that orders ids and does not depend on when they came. */
  rank(id: string): string;
  type(id: string): string;
  /** Whether two that nothing links may not be in one group, whatever joins them to it. */
  keptApart(a: string, b: string): boolean;
  /** What operators judged of pairs; the newest first, and the newest of a pair only. */
  judgements: readonly Judgement[];
}

export interface Judgement {
  a: string;
  b: string;
  is_same: boolean;
}

/** No group grows beyond this: hundreds of listings that look like one are a mistake, or somebody's game. */
const MOST_MEMBERS = 100;

/**
 * Judgements first, then the strongest links; two groups become one only where no two of their members are kept apart.
 * Never across types.
 */
export function groupsOf(ids: readonly string[], links: readonly Link[], rules: GroupRules): string[][] {
  const { judgements, keptApart, rank, type } = rules;
  const group = new Map(ids.map((id) => [id, [id]]));
  const linked = new Set(links.map(({ a, b }) => pairOf(a, b)));
  const judged = new Map(judgements.map((it) => [pairOf(it.a, it.b), it.is_same]));
  const mayMeet = (a: string, b: string): boolean =>
    judged.get(pairOf(a, b)) ?? (linked.has(pairOf(a, b)) || !keptApart(a, b));
  const join = (a: string, b: string, allowed: (x: string, y: string) => boolean): void => {
    const [x, y] = [group.get(a), group.get(b)];
    if (x === undefined || y === undefined || x === y || type(a) !== type(b)) return;
    if (x.length + y.length > MOST_MEMBERS || !x.every((one) => y.every((other) => allowed(one, other)))) return;
    const both = [...x, ...y];
    for (const id of both) group.set(id, both);
  };
  // An operator's word stands above evidence, but not above one that parts members of the two groups.
  for (const { a, b, is_same } of judgements) if (is_same) join(a, b, (x, y) => judged.get(pairOf(x, y)) !== false);
  for (const { a, b } of strongestFirst(links, rank)) join(a, b, mayMeet);
  return [...new Set(group.values())];
}

const strongestFirst = (links: readonly Link[], rank: GroupRules['rank']): Link[] =>
  links
    .map((link) => ({ link, name: [rank(link.a), rank(link.b)].sort().join('\n') }))
    .sort((x, y) => y.link.confidence - x.link.confidence || (x.name < y.name ? -1 : 1))
    .map(({ link }) => link);

/** What stands for each of some capabilities and why, out of all that joins them. Pure. */

/** Everything that a link, a judgement or a present group joins to any of it is in it too. */
export interface Neighbourhood {
  rows: ReadonlyMap<string, CapabilityRow>;
  links: readonly CapabilityLinkRow[];
  judgements: readonly Judgement[];
}

export type Standing = Pick<CapabilityRow, 'stands_id' | 'evidence' | 'confidence'>;

/** Why one is in a group: its strongest links into it, or that an operator put it there. */
export interface Reason {
  with: { provider: string; external_id: string };
  confidence: number;
  evidence: unknown[];
  against: unknown[];
}

export function standingsOf(near: Neighbourhood, traits: ReadonlyMap<string, Traits>): Map<string, Standing> {
  const { rows, links, judgements } = near;
  const live = [...rows.values()].filter((it) => it.is_live === 1);
  const groups = groupsOf(
    live.map(({ id }) => id),
    links.map(({ a_id, b_id, confidence }) => ({ a: a_id, b: b_id, confidence })),
    {
      judgements,
      rank: (id) => rankOf(rows.get(id)),
      type: (id) => rows.get(id)?.listing_type ?? '',
      keptApart: (a, b) => {
        const [x, y] = [traits.get(a), traits.get(b)];
        return x !== undefined && y !== undefined && keptApart(x, y);
      },
    },
  );
  const wanted = new Map<string, Standing>();
  for (const group of groups) for (const id of group) wanted.set(id, standing(id, group, near));
  for (const row of rows.values())
    if (row.is_live === 0) wanted.set(row.id, { stands_id: heirOf(row, rows, wanted), evidence: '[]', confidence: 0 });
  return wanted;
}

/** The rows that are to be saved: where the standing is another, and what is touched, each with what stands for it. */
export function changedRows(
  rows: ReadonlyMap<string, CapabilityRow>,
  wanted: ReadonlyMap<string, Standing>,
  touched: Iterable<string>,
): CapabilityRow[] {
  const changed = new Set<string>();
  for (const row of rows.values()) {
    const is = wanted.get(row.id) as Standing;
    if (row.stands_id === is.stands_id && row.evidence === is.evidence && row.confidence === is.confidence) continue;
    for (const id of [row.id, row.stands_id, is.stands_id]) changed.add(id);
  }
  for (const id of touched) changed.add(id).add(wanted.get(id)?.stands_id ?? id);
  return [...changed].flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ ...row, ...wanted.get(id) }];
  });
}

const rankOf = (row: CapabilityRow | undefined): string => `${row?.provider_id} ${row?.external_id}`;

const MOST_REASONS = 3;

function standing(id: string, group: readonly string[], { rows, links, judgements }: Neighbourhood): Standing {
  if (group.length === 1) return { stands_id: id, evidence: '[]', confidence: 0 };
  const stands_id = group.reduce((a, b) => (a < b ? a : b));
  const inside = new Set(group);
  const withRow = (other: string) => {
    const row = rows.get(other) as CapabilityRow;
    return { provider: row.provider_id, external_id: row.external_id };
  };
  const reasons: Reason[] = judgements
    .filter((it) => it.is_same && (it.a === id || it.b === id) && inside.has(it.a) && inside.has(it.b))
    .map((it) => ({
      with: withRow(it.a === id ? it.b : it.a),
      confidence: 1,
      evidence: [{ kind: 'operator', value: '', weight: 1 }],
      against: [],
    }));
  const own = links
    .filter(({ a_id, b_id }) => (a_id === id || b_id === id) && inside.has(a_id) && inside.has(b_id))
    .sort((x, y) => y.confidence - x.confidence || (pairOf(x.a_id, x.b_id) < pairOf(y.a_id, y.b_id) ? -1 : 1));
  for (const { a_id, b_id, confidence, evidence } of own.slice(0, MOST_REASONS))
    reasons.push({ with: withRow(a_id === id ? b_id : a_id), confidence, ...JSON.parse(evidence) });
  return {
    stands_id,
    evidence: JSON.stringify(reasons),
    confidence: Math.max(0, ...reasons.map((it) => it.confidence)),
  };
}

/** Where one whose listing is gone sends those who ask for it: to what its group became, or nowhere but itself. */
function heirOf(
  gone: CapabilityRow,
  rows: ReadonlyMap<string, CapabilityRow>,
  wanted: ReadonlyMap<string, Standing>,
): string {
  const before = rows.get(gone.stands_id);
  if (before !== undefined && before.is_live === 1) return wanted.get(before.id)?.stands_id ?? before.id;
  const heirs = [...rows.values()].filter((it) => it.is_live === 1 && it.stands_id === gone.stands_id);
  const [first] = heirs.map(({ id }) => id).sort();
  return first === undefined ? gone.stands_id : (wanted.get(first)?.stands_id ?? first);
}

/** Parts all capabilities into those that nothing joins: no link, no judgement, no present group. Pure. */
export function neighbourhoodsOf(
  rows: ReadonlyMap<string, CapabilityRow>,
  links: readonly CapabilityLinkRow[],
  judgements: readonly Judgement[],
): Neighbourhood[] {
  const above = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    // The way is short the next time.
    for (let at = id; at !== root; ) {
      const next = above.get(at) as string;
      above.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) above.set(x, y);
  };
  for (const { a_id, b_id } of links) join(a_id, b_id);
  for (const { a, b } of judgements) join(a, b);
  for (const { id, stands_id } of rows.values()) join(id, stands_id);
  const linksOf = Map.groupBy(links, (it) => rootOf(it.a_id));
  const judgementsOf = Map.groupBy(judgements, (it) => rootOf(it.a));
  return [...Map.groupBy(rows.values(), (it) => rootOf(it.id))].map(([root, some]) => ({
    rows: new Map(some.map((it) => [it.id, it])),
    links: linksOf.get(root) ?? [],
    judgements: judgementsOf.get(root) ?? [],
  }));
}

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

/**
 * Takes what was taken down out of its groups at once, in a transaction of the caller's: each is a capability of its own from
 * then on, and the rest go on without it. What goes as a whole stays together.
 */
export async function leaveGroups(
  db: Pick<Connection, 'query'>,
  ids: readonly string[],
  at: { seq: number; now: string },
): Promise<void> {
  const leaving = (await capabilitiesById(db, ids)).map((it) => ({ ...it, is_live: 0, stands_id: it.id }));
  const before = [...new Set((await capabilitiesById(db, ids)).map(({ stands_id }) => stands_id))];
  const rest = (await pointingTo(db, before)).filter((it) => it.is_live === 1 && !ids.includes(it.id));
  if (rest.length === 0) return;
  const rows = new Map(leaving.map((it) => [it.id, it]));
  const changed = await regroup(db, [...rest.map(({ id }) => id)], {
    coming: { rows, links: new Map() },
    touched: rest.map(({ id }) => id),
  });
  const others = changed.filter(({ id }) => !rows.has(id));
  await saveCapabilities(db, [...others, ...leaving], at);
}
