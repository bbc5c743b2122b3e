import { SOURCES } from '#catalog/items/own-listings.ts';
import { bitWords, setBit } from '../index/bitset.ts';
import { type CapabilitySegment, setAt } from '../index/capability-segment.ts';
import { textAt } from '../index/term-dictionary.ts';

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

export const sourceSet = (segment: CapabilitySegment, source: string): Int32Array =>
  setAt(segment, segment.sources, (SOURCES as readonly string[]).indexOf(source));

export function tagSet({ list, count }: CapabilitySegment, tag: string): Int32Array {
  const { tagBytes, tagAt, tagRowsAt, tagRows } = list;
  const set = new Int32Array(bitWords(count));
  const at = textAt(tagBytes, tagAt, Buffer.from(tag));
  if (at >= 0)
    for (let i = tagRowsAt[at] as number; i < (tagRowsAt[at + 1] as number); i++) setBit(set, tagRows[i] as number);
  return set;
}
