import { andBits, bitWords, setBit } from '../../registry/catalog/bits.ts';
import { closedSet } from '../../registry/catalog/segment.ts';
import { textAt } from '../../registry/catalog/text-order.ts';
import { isVerified, LEVELS, SOURCES } from './document.ts';
import type { Scored } from './score.ts';
import { type CapabilitySegment, setAt } from './segment.ts';

/** What a search may be narrowed by; null asks for nothing. */
export interface Filters {
  provider: string | null;
  listing_type: string | null;
  execution_class: string | null;
  /** Folded. */
  tag: string | null;
  /** Whether a run of it happened here. */
  verified: boolean | null;
}

export const NO_FILTERS: Filters = {
  provider: null,
  listing_type: null,
  execution_class: null,
  tag: null,
  verified: null,
};

export type FilterSets = Record<keyof Filters, Int32Array | null>;

export function filterSets(segment: CapabilitySegment, asked: Filters): FilterSets {
  const { list, count } = segment;
  const none = () => new Int32Array(bitWords(count));
  return {
    provider: asked.provider === null ? null : sourceSet(segment, asked.provider),
    listing_type: asked.listing_type === null ? null : (closedSet(list, 'types', asked.listing_type) ?? none()),
    execution_class:
      asked.execution_class === null ? null : (closedSet(list, 'classes', asked.execution_class) ?? none()),
    tag: asked.tag === null ? null : tagSet(segment, asked.tag),
    verified: asked.verified === null ? null : verifiedSet(segment, asked.verified),
  };
}

export const sourceSet = (segment: CapabilitySegment, source: string): Int32Array =>
  setAt(segment, segment.sources, (SOURCES as readonly string[]).indexOf(source));

export function verifiedSet(segment: CapabilitySegment, wanted: boolean): Int32Array {
  const set = new Int32Array(bitWords(segment.count));
  LEVELS.forEach((level, at) => {
    if (isVerified(level) !== wanted) return;
    const ofLevel = setAt(segment, segment.levels, at);
    for (let w = 0; w < set.length; w++) set[w] = (set[w] as number) | (ofLevel[w] as number);
  });
  return set;
}

function tagSet({ list, count }: CapabilitySegment, tag: string): Int32Array {
  const { tagBytes, tagAt, tagRowsAt, tagRows } = list;
  const set = new Int32Array(bitWords(count));
  const at = textAt(tagBytes, tagAt, Buffer.from(tag));
  if (at >= 0)
    for (let i = tagRowsAt[at] as number; i < (tagRowsAt[at + 1] as number); i++) setBit(set, tagRows[i] as number);
  return set;
}

/** What all filters leave of a match, and what all but one leave. */
export interface Sifted {
  /** Words of the sets that anything is in, so that the empty ones are passed once. */
  filled: Int32Array;
  all: Int32Array;
  without: Record<keyof Filters, Int32Array>;
}

export function filtered(scored: Scored, { count }: CapabilitySegment, sets: FilterSets): Sifted {
  const match = setOf(scored, bitWords(count));
  const names = Object.keys(sets) as (keyof Filters)[];
  const narrowed = (leftOut: keyof Filters | null): Int32Array => {
    const set = match.slice();
    for (const name of names) {
      const other = sets[name];
      if (other !== null && name !== leftOut) andBits(set, set, other);
    }
    return set;
  };
  const all = narrowed(null);
  const without = Object.fromEntries(names.map((name) => [name, sets[name] === null ? all : narrowed(name)]));
  return { filled: filledWords(match), all, without: without as Sifted['without'] };
}

function filledWords(set: Int32Array): Int32Array {
  const filled = new Int32Array(set.length);
  let count = 0;
  for (let w = 0; w < set.length; w++) {
    filled[count] = w;
    if (set[w] !== 0) count++;
  }
  return filled.subarray(0, count);
}

/** Sets a bit for each of the first `count` rows. */
function setOf({ rows, count }: Scored, words: number): Int32Array {
  const set = new Int32Array(words);
  for (let i = 0; i < count; i++) setBit(set, rows[i] as number);
  return set;
}
