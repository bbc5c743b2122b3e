import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { keptApart } from './evidence.ts';
import { groupsOf, type Judgement, pairOf } from './groups.ts';
import type { Traits } from './traits.ts';

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
