import { lowerBound } from '../../registry/catalog/dictionary.ts';
import { findTerm } from './dictionary.ts';
import type { Group, Kind, Plan, Stand } from './plan.ts';
import { FIELDS, RANKING } from './ranking.ts';
import { qualityOf, weightAsked } from './score.ts';
import type { CapabilitySegment } from './segment.ts';

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

export function explain(segment: CapabilitySegment, row: number, plan: Plan, score: number, is_id: boolean): Explained {
  const { total, least } = weightAsked(segment, plan)(row);
  const groups = plan.groups.flatMap((group) => bestStand(segment, row, group) ?? []);
  const pairs = plan.pairs.flatMap((pair) => bestStand(segment, row, pair) ?? []);
  const share = groups.reduce((sum, { group, first }) => sum + group.rarity * first.weight, 0) / total;
  const worth = share ** RANKING.coverage / total;
  const words = [
    ...groups.map((it) => wordOf(it, it.group.rarity * it.stand.weight * worth)),
    ...pairs.map((it) => wordOf(it, it.group.rarity * RANKING.pair * worth)),
  ];
  const factor = qualityOf(segment, row);
  const id = is_id ? RANKING.id : 0;
  const sum = words.reduce((all, { points }) => all + points, 0);
  return {
    ...{ words, share, id },
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

function bestStand(segment: CapabilitySegment, row: number, group: Group): Found | null {
  let best: Found | null = null;
  let first: Stand | null = null;
  for (const stand of group.stands) {
    const packed = weightAt(segment, row, stand.terms);
    if (packed === 0) continue;
    first ??= stand;
    const value = packed & 255;
    if (best === null || value * stand.weight > best.value * best.stand.weight)
      best = { group, stand, first, value, fields: packed >> 8 };
  }
  return best;
}

/** 0 where it has not all of them. */
function weightAt({ text }: CapabilitySegment, row: number, terms: readonly string[]): number {
  let least = 255;
  let fields = 0xff;
  for (const term of terms) {
    const at = findTerm(text, term);
    if (at < 0) return 0;
    const rows = text.rows.subarray(text.rowsAt[at], text.rowsAt[at + 1]);
    const place = lowerBound(rows, row);
    if (rows[place] !== row) return 0;
    const packed = text.weights[(text.rowsAt[at] as number) + place] as number;
    least = Math.min(least, packed & 255);
    fields &= packed >> 8;
  }
  return (fields << 8) | least;
}

const wordOf = ({ group, stand, value, fields }: Found, worth: number): Explained['words'][number] => ({
  term: group.term,
  found: stand.terms.join(' '),
  kind: stand.kind,
  fields: FIELDS.filter((_, at) => (fields >> at) & 1),
  points: (value / 255) * worth,
});
