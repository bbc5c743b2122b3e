import type {
  CapabilityJudgementRow,
  CapabilityLinkRow,
  CapabilityRow,
} from '../../../platform/db/schema-capabilities.ts';
import { keptApart } from './evidence.ts';
import { groupsOf, type Judgement, pairOf } from './groups.ts';
import {
  capabilitiesById,
  type Db,
  judgementsAt,
  linksAt,
  pointingTo,
  saveCapabilities,
  traitsOfIds,
} from './link-store.ts';
import type { Traits } from './traits.ts';

/** Makes the groups around some capabilities anew, and saves what differs. In the transaction of whoever changed them. */

export interface Regrouping {
  seq: number;
  now: string;
  /** What is known already, by id. */
  traits?: ReadonlyMap<string, Traits>;
  /** Whose content changed: what stands for them is touched even where no group changes. */
  touched?: readonly string[];
}

export async function regroup(
  db: Db,
  seeds: readonly string[],
  { seq, now, traits, touched = [] }: Regrouping,
): Promise<void> {
  const { rows, links, judgements } = await neighbourhood(db, seeds);
  const live = [...rows.values()].filter((it) => it.is_live === 1);
  const known = await knownTraits(db, links, traits);
  const groups = groupsOf(
    live.map(({ id }) => id),
    links.map(({ a_id, b_id, confidence }) => ({ a: a_id, b: b_id, confidence })),
    {
      judgements,
      rank: (id) => rankOf(rows.get(id)),
      type: (id) => rows.get(id)?.listing_type ?? '',
      keptApart: (a, b) => {
        const [x, y] = [known.get(a), known.get(b)];
        return x !== undefined && y !== undefined && keptApart(x, y);
      },
    },
  );
  const wanted = new Map<string, Pick<CapabilityRow, 'stands_id' | 'evidence' | 'confidence'>>();
  for (const group of groups) for (const id of group) wanted.set(id, standing(id, group, { rows, links, judgements }));
  for (const row of rows.values())
    if (row.is_live === 0) wanted.set(row.id, { stands_id: heirOf(row, rows, wanted), evidence: '[]', confidence: 0 });
  await save(db, rows, wanted, { seq, now, touched });
}

interface Neighbourhood {
  rows: Map<string, CapabilityRow>;
  links: CapabilityLinkRow[];
  judgements: Judgement[];
}

/** Everything that a link, a judgement or a present group joins to these, however far. */
async function neighbourhood(db: Db, seeds: readonly string[]): Promise<Neighbourhood> {
  const rows = new Map<string, CapabilityRow>();
  const links = new Map<string, CapabilityLinkRow>();
  const judged = new Map<string, CapabilityJudgementRow>();
  const looked = new Set<string>();
  let frontier = [...new Set(seeds)];
  while (frontier.length > 0) {
    for (const id of frontier) looked.add(id);
    const next = new Set<string>();
    for (const row of await withGroups(db, frontier)) {
      rows.set(row.id, row);
      next.add(row.id);
    }
    for (const link of await linksAt(db, frontier)) {
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
async function withGroups(db: Db, ids: readonly string[]): Promise<CapabilityRow[]> {
  const own = await capabilitiesById(db, ids);
  return [...own, ...(await pointingTo(db, [...new Set(own.map((it) => it.stands_id))]))];
}

function newestOfPairs(rows: readonly CapabilityJudgementRow[]): Judgement[] {
  const newest = new Map<string, Judgement>();
  for (const { a_id, b_id, is_same } of rows.toSorted((x, y) => (x.id < y.id ? 1 : -1)))
    if (!newest.has(pairOf(a_id, b_id))) newest.set(pairOf(a_id, b_id), { a: a_id, b: b_id, is_same: is_same === 1 });
  return [...newest.values()];
}

/** Only what is linked can be kept apart by what it says of itself. */
async function knownTraits(
  db: Db,
  links: readonly CapabilityLinkRow[],
  given: ReadonlyMap<string, Traits> = new Map(),
) {
  const ids = [...new Set(links.flatMap(({ a_id, b_id }) => [a_id, b_id]))];
  const missing = ids.filter((id) => !given.has(id));
  return new Map([...given, ...(await traitsOfIds(db, missing))]);
}

const rankOf = (row: CapabilityRow | undefined): string => `${row?.provider_id} ${row?.external_id}`;

type Standing = Pick<CapabilityRow, 'stands_id' | 'evidence' | 'confidence'>;

/** Why one is in a group: its strongest links into it, or that an operator put it there. */
export interface Reason {
  with: { provider: string; external_id: string };
  confidence: number;
  evidence: unknown[];
  against: unknown[];
}

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
      ...{ confidence: 1, evidence: [{ kind: 'operator', value: '', weight: 1 }], against: [] },
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

async function save(
  db: Db,
  rows: ReadonlyMap<string, CapabilityRow>,
  wanted: ReadonlyMap<string, Standing>,
  { seq, now, touched }: { seq: number; now: string; touched: readonly string[] },
): Promise<void> {
  const changed = new Set<string>();
  for (const row of rows.values()) {
    const is = wanted.get(row.id) as Standing;
    if (row.stands_id === is.stands_id && row.evidence === is.evidence && row.confidence === is.confidence) continue;
    for (const id of [row.id, row.stands_id, is.stands_id]) changed.add(id);
  }
  for (const id of touched) changed.add(id).add(wanted.get(id)?.stands_id ?? id);
  await saveCapabilities(
    db,
    [...changed].flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const next = { ...row, ...wanted.get(id), seq, updated_at: now };
      // Saved already when it was taken in.
      const is_saved = row.seq === seq && row.stands_id === next.stands_id && row.evidence === next.evidence;
      return is_saved ? [] : [next];
    }),
  );
}
