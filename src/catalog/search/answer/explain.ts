import { lowerBound } from '../index/ngrams.ts';
import type { Postings } from '../index/postings.ts';
import type { Part } from '../query/marketplace-view.ts';
import type { Plan } from '../query/query-plan.ts';
import { qualityOf, weightAsked } from '../query/score.ts';
import type { Group, Kind, Stand } from '../query/vocabulary.ts';
import { FIELDS, RANKING } from '../ranking.ts';

/** The parts that a score is made of: (words × coverage + name × share) × quality + id. */
export interface Explained {
  words: {
    term: string;
    /** What of it was found: the term itself, or what stands for it. */
    found: string;
    kind: Kind;
    fields: string[];
    /** Its share of the words' part. */
    points: number;
  }[];
  /** Share of the query's weight that it has, and of it what makes a match. */
  share: number;
  least_share: number;
  /** What its name adds. */
  name: number;
  /** By what its points are multiplied: proof, use, copies. */
  quality: { factor: number; prior: number; copies: number };
  /** What asking for its id adds. */
  id: number;
}

export function explain(part: Part, row: number, plan: Plan, score: number, is_id: boolean): Explained {
  const { segment } = part;
  const { total, least } = weightAsked(segment, plan).of(row);
  const groups = plan.groups.flatMap((group) => bestStand(part, row, group) ?? []);
  const pairs = plan.pairs.flatMap((pair) => bestStand(part, row, pair) ?? []);
  const share = groups.reduce((sum, { group, first }) => sum + group.rarity * first.weight, 0) / total;
  const worth = share ** RANKING.coverage / total;
  const words = [
    ...groups.map((group) => wordOf(group, group.group.rarity * group.stand.weight * worth)),
    ...pairs.map((pair) => wordOf(pair, pair.group.rarity * RANKING.pair * worth)),
  ];
  const factor = qualityOf(segment, row);
  const id = is_id ? RANKING.id : 0;
  const sum = words.reduce((all, { points }) => all + points, 0);
  return {
    words,
    share,
    id,
    least_share: least,
    name: Math.max(0, (score - id) / factor - sum),
    quality: { factor, prior: (segment.priors[row] as number) / 255, copies: segment.copies[row] as number },
  };
}

interface Found {
  group: Group;
  stand: Stand;
  /** The one that was met first: its weight counts for coverage. */
  first: Stand;
  value: number;
  fields: number;
}

function bestStand({ at }: Part, row: number, group: Group): Found | null {
  let best: Found | null = null;
  let first: Stand | null = null;
  for (const stand of group.stands) {
    const packed = weightIn(stand.postings[at] as Postings, row);
    if (packed === 0) continue;
    first ??= stand;
    const value = packed & 255;
    if (best === null || value * stand.weight > best.value * best.stand.weight)
      best = { group, stand, first, value, fields: packed >> 8 };
  }
  return best;
}

/** 0 where the row is not among them. */
function weightIn({ rows, weights, from, to }: Postings, row: number): number {
  const place = from + lowerBound(rows.subarray(from, to), row);
  return place < to && rows[place] === row ? (weights[place] as number) : 0;
}

const wordOf = ({ group, stand, value, fields }: Found, worth: number): Explained['words'][number] => ({
  term: group.term,
  found: stand.terms.join(' '),
  kind: stand.kind,
  fields: FIELDS.filter((_, at) => (fields >> at) & 1),
  points: (value / 255) * worth,
});
