import { bestExpansion, type FoundGroup, fieldsOf } from '../query/found-words.ts';
import type { Place } from '../query/order.ts';
import type { Part } from '../query/part.ts';
import type { QueryPlan } from '../query/query-plan.ts';
import { qualityOf, weightOf } from '../query/score.ts';
import type { ExpansionKind } from '../query/vocabulary.ts';
import { RANKING } from '../ranking.ts';

/** The parts of a score: (words × coverage + name × share) × quality + id + order. */
interface Explanation {
  words: {
    term: string;
    /** The term itself, or the expansion that was found. */
    found: string;
    kind: ExpansionKind;
    fields: string[];
    /** Its part of the words' points. */
    points: number;
  }[];
  /** The share of the query's weight that the capability has, and the least share that makes a match. */
  share: number;
  least_share: number;
  /** Points of the name. */
  name: number;
  /** What the points are multiplied by: proof, popularity, copies. */
  quality: { factor: number; prior: number; copies: number };
  /** Points if the text is its id. */
  id: number;
  /**
   * Points of the learned order, by feature (`query/order-features.ts`), and what all of the first matches have more. Null in other orders
   * than relevance.
   */
  order: Pick<Place, 'features' | 'lift'> | null;
}

/** `place` is that in the answer. */
export function explain(
  part: Part,
  row: number,
  plan: QueryPlan,
  { score, isId, place }: { score: number; isId: boolean; place: Place | null },
): Explanation {
  const { segment } = part;
  const { total: whole, least } = weightOf(segment, plan).of(row);
  // Of what only its meaning has found, no word counts.
  const total = whole || 1;
  const groups = plan.groups.flatMap((group) => bestExpansion(part, row, group) ?? []);
  const pairs = plan.pairs.flatMap((pair) => bestExpansion(part, row, pair) ?? []);
  const share = groups.reduce((sum, { group, first }) => sum + group.idf * first.weight, 0) / total;
  const factor = share ** RANKING.coverage / total;
  const words = [
    ...groups.map((found) => wordOf(found, found.group.idf * found.expansion.weight * factor)),
    ...pairs.map((found) => wordOf(found, found.group.idf * RANKING.pair * factor)),
  ];
  const quality = qualityOf(segment, row);
  const id = isId ? RANKING.id : 0;
  const sum = words.reduce((all, { points }) => all + points, 0);
  return {
    words,
    share,
    id,
    least_share: least,
    name: Math.max(0, ((place?.score ?? score) - id) / quality - sum),
    quality: { factor: quality, prior: (segment.priors[row] as number) / 255, copies: segment.copies[row] as number },
    order: place === null ? null : { features: place.features, lift: place.lift },
  };
}

const wordOf = ({ group, expansion, value, fields }: FoundGroup, mostPoints: number): Explanation['words'][number] => ({
  term: group.term,
  found: expansion.terms.join(' '),
  kind: expansion.kind,
  fields: fieldsOf(fields),
  points: (value / 255) * mostPoints,
});
