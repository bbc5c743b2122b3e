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

/** Groups linked listings into capabilities. The groups are a function of the set of links, whatever order they were found in. */

interface Link {
  a: string;
  b: string;
  confidence: number;
}

/** An operator's decision on a pair of capabilities. */
interface Judgement {
  a: string;
  b: string;
  is_same: boolean;
}

interface GroupRules {
  /** A sort key for ids that does not depend on when they were created. */
  rank(id: string): string;
  type(id: string): string;
  /** Whether two ids without a link must not be in one group, whatever connects them. */
  keptApart(a: string, b: string): boolean;
  /** Newest first, and only the newest of each pair. */
  judgements: readonly Judgement[];
}

/** Hundreds of listings that look alike are a mistake or spam. */
const MAX_MEMBERS = 100;

/**
 * Applies judgements first, then links in order of confidence. Two groups are joined only if they have one type and no two of
 * their members are kept apart, so chains of weak links do not grow.
 */
function groupsOf(ids: readonly string[], links: readonly Link[], rules: GroupRules): string[][] {
  const { judgements, keptApart, rank, type } = rules;
  const group = new Map(ids.map((id) => [id, [id]]));
  const linked = new Set(links.map(({ a, b }) => pairOf(a, b)));
  const judged = new Map(judgements.map(({ a, b, is_same }) => [pairOf(a, b), is_same]));
  const mayMeet = (a: string, b: string): boolean =>
    judged.get(pairOf(a, b)) ?? (linked.has(pairOf(a, b)) || !keptApart(a, b));
  const join = (a: string, b: string, allowed: (x: string, y: string) => boolean): void => {
    const [x, y] = [group.get(a), group.get(b)];
    if (x === undefined || y === undefined || x === y || type(a) !== type(b)) return;
    if (x.length + y.length > MAX_MEMBERS || !x.every((one) => y.every((other) => allowed(one, other)))) return;
    const both = [...x, ...y];
    for (const id of both) group.set(id, both);
  };
  // A judgement overrides evidence, but not another judgement that separates members of the two groups.
  for (const { a, b, is_same } of judgements) if (is_same) join(a, b, (x, y) => judged.get(pairOf(x, y)) !== false);
  for (const { a, b } of strongestFirst(links, rank)) join(a, b, mayMeet);
  return [...new Set(group.values())];
}

function strongestFirst(links: readonly Link[], rank: GroupRules['rank']): Link[] {
  return links
    .map((link) => ({ link, name: [rank(link.a), rank(link.b)].sort().join('\n') }))
    .sort((x, y) => y.link.confidence - x.link.confidence || (x.name < y.name ? -1 : 1))
    .map(({ link }) => link);
}

/** A set of capabilities that is closed under links, judgements and current groups. */
interface Neighbourhood {
  rows: ReadonlyMap<string, CapabilityRow>;
  links: readonly CapabilityLinkRow[];
  judgements: readonly Judgement[];
}

/** Which capability represents a row, and why. */
type Assignment = Pick<CapabilityRow, 'stands_id' | 'evidence' | 'confidence'>;

/** Why a listing is in a group: one of its strongest links into it, or an operator's decision. */
export interface Reason {
  with: { provider: string; external_id: string };
  confidence: number;
  evidence: unknown[];
  against: unknown[];
}

/** Groups a neighbourhood and assigns each of its rows, by id. */
export function assignmentsOf(near: Neighbourhood, traits: ReadonlyMap<string, Traits>): Map<string, Assignment> {
  const { rows, links, judgements } = near;
  const live = [...rows.values()].filter((row) => row.is_live === 1);
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
  const wanted = new Map<string, Assignment>();
  for (const group of groups) for (const id of group) wanted.set(id, assignmentIn(group, id, near));
  for (const row of rows.values())
    if (row.is_live === 0) wanted.set(row.id, { stands_id: heirOf(row, rows, wanted), evidence: '[]', confidence: 0 });
  return wanted;
}

/** The rows to save: those with a new assignment and those that were touched, each with the capability that represents it. */
export function changedRows(
  rows: ReadonlyMap<string, CapabilityRow>,
  wanted: ReadonlyMap<string, Assignment>,
  touched: Iterable<string>,
): CapabilityRow[] {
  const changed = new Set<string>();
  for (const row of rows.values()) {
    const next = wanted.get(row.id) as Assignment;
    if (row.stands_id === next.stands_id && row.evidence === next.evidence && row.confidence === next.confidence)
      continue;
    for (const id of [row.id, row.stands_id, next.stands_id]) changed.add(id);
  }
  for (const id of touched) changed.add(id).add(wanted.get(id)?.stands_id ?? id);
  return [...changed].flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ ...row, ...wanted.get(id) }];
  });
}

function rankOf(row: CapabilityRow | undefined): string {
  return `${row?.provider_id} ${row?.external_id}`;
}

const MAX_REASONS = 3;

function assignmentIn(group: readonly string[], id: string, { rows, links, judgements }: Neighbourhood): Assignment {
  if (group.length === 1) return { stands_id: id, evidence: '[]', confidence: 0 };
  const stands_id = group.reduce((a, b) => (a < b ? a : b));
  const inside = new Set(group);
  const withRow = (other: string) => {
    const row = rows.get(other) as CapabilityRow;
    return { provider: row.provider_id, external_id: row.external_id };
  };
  const reasons: Reason[] = judgements
    .filter(({ a, b, is_same }) => is_same && (a === id || b === id) && inside.has(a) && inside.has(b))
    .map(({ a, b }) => ({
      with: withRow(a === id ? b : a),
      confidence: 1,
      evidence: [{ kind: 'operator', value: '', weight: 1 }],
      against: [],
    }));
  const own = links
    .filter(({ a_id, b_id }) => (a_id === id || b_id === id) && inside.has(a_id) && inside.has(b_id))
    .sort((x, y) => y.confidence - x.confidence || (pairOf(x.a_id, x.b_id) < pairOf(y.a_id, y.b_id) ? -1 : 1));
  for (const { a_id, b_id, confidence, evidence } of own.slice(0, MAX_REASONS))
    reasons.push({ with: withRow(a_id === id ? b_id : a_id), confidence, ...JSON.parse(evidence) });
  return {
    stands_id,
    evidence: JSON.stringify(reasons),
    confidence: Math.max(0, ...reasons.map(({ confidence }) => confidence)),
  };
}

/** Where the id of a removed listing redirects to: what its group has become, or itself if the group is gone. */
function heirOf(
  gone: CapabilityRow,
  rows: ReadonlyMap<string, CapabilityRow>,
  wanted: ReadonlyMap<string, Assignment>,
): string {
  const before = rows.get(gone.stands_id);
  if (before !== undefined && before.is_live === 1) return wanted.get(before.id)?.stands_id ?? before.id;
  const heirs = [...rows.values()].filter((row) => row.is_live === 1 && row.stands_id === gone.stands_id);
  const [first] = heirs.map(({ id }) => id).sort();
  return first === undefined ? gone.stands_id : (wanted.get(first)?.stands_id ?? first);
}

/** Splits all capabilities into neighbourhoods: the connected components (union-find). */
export function neighbourhoodsOf(
  rows: ReadonlyMap<string, CapabilityRow>,
  links: readonly CapabilityLinkRow[],
  judgements: readonly Judgement[],
): Neighbourhood[] {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parent.get(root); next !== undefined; next = parent.get(root)) root = next;
    // Path compression.
    for (let at = id; at !== root; ) {
      const next = parent.get(at) as string;
      parent.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) parent.set(x, y);
  };
  for (const { a_id, b_id } of links) join(a_id, b_id);
  for (const { a, b } of judgements) join(a, b);
  for (const { id, stands_id } of rows.values()) join(id, stands_id);
  const linksOf = Map.groupBy(links, ({ a_id }) => rootOf(a_id));
  const judgementsOf = Map.groupBy(judgements, ({ a }) => rootOf(a));
  return [...Map.groupBy(rows.values(), ({ id }) => rootOf(id))].map(([root, some]) => ({
    rows: new Map(some.map((row) => [row.id, row])),
    links: linksOf.get(root) ?? [],
    judgements: judgementsOf.get(root) ?? [],
  }));
}

/** Changes that are planned but not saved yet. Regrouping treats them as saved. */
interface Pending {
  rows: ReadonlyMap<string, CapabilityRow>;
  /** By `pairOf`; null for a link to delete. */
  links: ReadonlyMap<string, CapabilityLinkRow | null>;
}

interface Regrouping {
  pending?: Pending;
  /** Traits that are already loaded, by id. */
  traits?: ReadonlyMap<string, Traits>;
  /** Ids whose content changed. They and their representatives are saved even if no group changes. */
  touched?: readonly string[];
}

const NOTHING_PENDING: Pending = { rows: new Map(), links: new Map() };

/** Regroups the neighbourhood of these ids. Only reads; returns the rows to save, without a new `seq` and `updated_at`. */
export async function regroup(
  db: Db,
  seeds: readonly string[],
  { pending = NOTHING_PENDING, traits = new Map(), touched = [] }: Regrouping,
): Promise<CapabilityRow[]> {
  const near = await neighbourhoodOf(db, seeds, pending);
  return changedRows(near.rows, assignmentsOf(near, await missingTraits(db, near, traits)), touched);
}

async function neighbourhoodOf(db: Db, seeds: readonly string[], pending: Pending): Promise<Neighbourhood> {
  const rows = new Map<string, CapabilityRow>();
  const links = new Map<string, CapabilityLinkRow>();
  const judged = new Map<string, CapabilityJudgementRow>();
  const visited = new Set<string>();
  const added = Map.groupBy(
    [...pending.links.values()]
      .filter((link) => link !== null)
      .flatMap((link) => [
        { end: link.a_id, link },
        { end: link.b_id, link },
      ]),
    ({ end }) => end,
  );
  let frontier = [...new Set(seeds)];
  while (frontier.length > 0) {
    for (const id of frontier) visited.add(id);
    const next = new Set<string>();
    for (const row of await withGroups(db, frontier, pending)) {
      rows.set(row.id, row);
      next.add(row.id);
    }
    const saved = (await linksAt(db, frontier)).filter(({ a_id, b_id }) => !pending.links.has(pairOf(a_id, b_id)));
    for (const link of [...saved, ...frontier.flatMap((id) => added.get(id)?.map((end) => end.link) ?? [])]) {
      links.set(pairOf(link.a_id, link.b_id), link);
      next.add(link.a_id).add(link.b_id);
    }
    for (const judgement of await judgementsAt(db, frontier)) {
      judged.set(judgement.id, judgement);
      next.add(judgement.a_id).add(judgement.b_id);
    }
    frontier = [...next].filter((id) => !visited.has(id));
  }
  return { rows, links: [...links.values()], judgements: newestOfPairs([...judged.values()]) };
}

/** The rows of these ids, and all rows of their current groups. */
async function withGroups(db: Db, ids: readonly string[], { rows }: Pending): Promise<CapabilityRow[]> {
  const own = new Map((await capabilitiesById(db, ids)).map((row) => [row.id, row]));
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) own.set(id, row);
  }
  const groups = [...new Set([...own.values()].map(({ stands_id }) => stands_id))];
  return [...own.values(), ...(await pointingTo(db, groups)).map((row) => rows.get(row.id) ?? row)];
}

export function newestOfPairs(rows: readonly CapabilityJudgementRow[]): Judgement[] {
  const newest = new Map<string, Judgement>();
  for (const { a_id, b_id, is_same } of rows.toSorted((x, y) => (x.id < y.id ? 1 : -1)))
    if (!newest.has(pairOf(a_id, b_id))) newest.set(pairOf(a_id, b_id), { a: a_id, b: b_id, is_same: is_same === 1 });
  return [...newest.values()];
}

/** Loads traits only for rows that are linked or judged, because only those can be kept apart. */
async function missingTraits(db: Db, { links, judgements }: Neighbourhood, given: ReadonlyMap<string, Traits>) {
  const ids = new Set([
    ...links.flatMap(({ a_id, b_id }) => [a_id, b_id]),
    ...judgements.flatMap(({ a, b }) => [a, b]),
  ]);
  const missing = [...ids].filter((id) => !given.has(id));
  return new Map([...given, ...(await traitsOfIds(db, missing))]);
}

/**
 * Removes taken-down capabilities from their groups at once, in the caller's transaction. Each becomes a separate
 * capability and the remaining members are regrouped. A group that is taken down as a whole stays together.
 */
export async function leaveGroups(
  db: Pick<Connection, 'query'>,
  ids: readonly string[],
  at: { seq: number; now: string },
): Promise<void> {
  const leaving = (await capabilitiesById(db, ids)).map((row) => ({ ...row, is_live: 0, stands_id: row.id }));
  const before = [...new Set((await capabilitiesById(db, ids)).map(({ stands_id }) => stands_id))];
  const rest = (await pointingTo(db, before)).filter((row) => row.is_live === 1 && !ids.includes(row.id));
  if (rest.length === 0) return;
  const rows = new Map(leaving.map((row) => [row.id, row]));
  const changed = await regroup(db, [...rest.map(({ id }) => id)], {
    pending: { rows, links: new Map() },
    touched: rest.map(({ id }) => id),
  });
  const others = changed.filter(({ id }) => !rows.has(id));
  await saveCapabilities(db, [...others, ...leaving], at);
}
