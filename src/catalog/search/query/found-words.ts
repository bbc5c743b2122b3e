import { lowerBound } from '../index/sorted-rows.ts';
import type { Postings } from '../index/text-index.ts';
import { FIELDS, type Field } from '../ranking.ts';
import { rowOfHit } from './list-view.ts';
import { type MarketplaceView, partOfHit } from './marketplace-view.ts';
import type { Part } from './part.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Expansion, TermGroup } from './vocabulary.ts';

/** Which words of a query a capability has, and where. */

export interface FoundGroup {
  group: TermGroup;
  /** The one that counts. */
  expansion: Expansion;
  /** The heaviest expansion that the row has. Its weight counts for coverage. */
  first: Expansion;
  value: number;
  /** As bits. */
  fields: number;
}

/** Null if the row has no expansion of the group. */
export function bestExpansion({ at }: Part, row: number, group: TermGroup): FoundGroup | null {
  let best: FoundGroup | null = null;
  let first: Expansion | null = null;
  for (const expansion of group.expansions) {
    const packed = weightIn(expansion.postings[at] as Postings, row);
    if (packed === 0) continue;
    first ??= expansion;
    const value = packed & 255;
    if (best === null || value * expansion.weight > best.value * best.expansion.weight)
      best = { group, expansion, first, value, fields: packed >> 8 };
  }
  return best;
}

/** 0 if the row is not among the postings. */
function weightIn({ rows, weights, from, to }: Postings, row: number): number {
  const at = from + lowerBound(rows.subarray(from, to), row);
  return at < to && rows[at] === row ? (weights[at] as number) : 0;
}

export const fieldsOf = (bits: number): Field[] => FIELDS.filter((_, at) => (bits >> at) & 1);

interface FoundWord {
  /** As in the query, or as corrected. */
  term: string;
  /** The term itself, or the expansion that was found. */
  found: string;
  fields: Field[];
}

export function wordsFound(view: MarketplaceView, { groups }: QueryPlan, hit: number): FoundWord[] {
  const [part, row] = [partOfHit(view, hit), rowOfHit(hit)];
  return groups
    .flatMap((group) => bestExpansion(part, row, group) ?? [])
    .map(({ group, expansion, fields }) => ({
      term: group.term,
      found: expansion.terms.join(' '),
      fields: fieldsOf(fields),
    }));
}
