import { bitWords, popcount } from '../../registry/catalog/bits.ts';
import { CLOSED_SETS } from '../../registry/catalog/segment.ts';
import { textAt } from '../../registry/catalog/text-order.ts';
import { isVerified, LEVELS, SOURCES } from './document.ts';
import type { Filters, Sifted } from './filters.ts';
import type { Scratch } from './score.ts';
import type { CapabilitySegment } from './segment.ts';

/** How many of what was found have which value. A facet is counted without its own filter: what another choice would find. */

export interface FacetCount<V = string> {
  value: V;
  count: number;
}
export type Facets = { [F in Exclude<keyof Filters, 'verified'>]: FacetCount[] } & { verified: FacetCount<boolean>[] };

export interface Sieved {
  segment: CapabilitySegment;
  scratch: Pick<Scratch, 'tagCounts' | 'tags'>;
  sifted: Sifted;
}

const MOST_TAGS = 20;

export function countFacets(parts: readonly Sieved[]): Facets {
  const closed = (
    facet: keyof Filters,
    values: readonly string[],
    setsOf: (segment: CapabilitySegment) => Int32Array,
  ) => mostFirst(values.map((value, at) => ({ value, count: countSets(parts, facet, setsOf, at) })));
  const levels = LEVELS.map((level, at) => ({ level, count: countSets(parts, 'verified', (it) => it.levels, at) }));
  const verified = (wanted: boolean) => ({
    value: wanted,
    count: levels.reduce((sum, { level, count }) => sum + (isVerified(level) === wanted ? count : 0), 0),
  });
  return {
    provider: closed('provider', SOURCES, (it) => it.sources),
    listing_type: closed('listing_type', CLOSED_SETS.types, (it) => it.list.types),
    execution_class: closed('execution_class', CLOSED_SETS.classes, (it) => it.list.classes),
    tag: countTags(parts),
    verified: [verified(true), verified(false)].filter(({ count }) => count > 0),
  };
}

const mostFirst = (counts: FacetCount[]): FacetCount[] =>
  counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

function countSets(
  parts: readonly Sieved[],
  facet: keyof Filters,
  setsOf: (segment: CapabilitySegment) => Int32Array,
  at: number,
): number {
  let count = 0;
  for (const { segment, sifted } of parts) {
    const found = sifted.without[facet];
    const sets = setsOf(segment);
    const start = at * bitWords(segment.count);
    const { filled } = sifted;
    for (let i = 0; i < filled.length; i++) {
      const w = filled[i] as number;
      const both = (found[w] as number) & (sets[start + w] as number);
      if (both !== 0) count += popcount(both);
    }
  }
  return count;
}

/** The most frequent of all, folded, as tags are looked up. */
function countTags(parts: readonly Sieved[]): FacetCount[] {
  const [base, delta] = parts.map(countRowTags);
  if (base === undefined) return [];
  const alone = delta === undefined ? [] : addTags(base, delta);
  const found = [...mostOf(base), ...alone];
  for (const { counts, tags, count } of [base, delta].filter((it) => it !== undefined))
    for (let i = 0; i < count; i++) counts[tags[i] as number] = 0;
  return mostFirst(found).slice(0, MOST_TAGS);
}

interface TagCounts {
  list: CapabilitySegment['list'];
  /** By a tag's number; the first `count` of `tags` are those above 0. */
  counts: Int32Array;
  tags: Int32Array;
  count: number;
}

function countRowTags({ segment, sifted, scratch }: Sieved): TagCounts {
  const { list, rowTags, rowTagsAt } = segment;
  const { tagCounts: counts, tags } = scratch;
  const found = sifted.without.tag;
  let count = 0;
  for (const w of sifted.filled)
    for (let word = found[w] as number; word !== 0; word &= word - 1) {
      const row = (w << 5) + 31 - Math.clz32(word & -word);
      for (let i = rowTagsAt[row] as number; i < (rowTagsAt[row + 1] as number); i++) {
        const tag = rowTags[i] as number;
        const had = counts[tag] as number;
        if (had === 0) tags[count++] = tag;
        counts[tag] = had + 1;
      }
    }
  return { list, counts, tags, count };
}

/** Adds what a delta has to the base's counts; answers those of which the base has none. */
function addTags(base: TagCounts, delta: TagCounts): FacetCount[] {
  const alone: FacetCount[] = [];
  for (let i = 0; i < delta.count; i++) {
    const tag = delta.tags[i] as number;
    const value = tagAt(delta, tag);
    const at = textAt(base.list.tagBytes, base.list.tagAt, Buffer.from(value));
    const count = delta.counts[tag] as number;
    if (at < 0) alone.push({ value, count });
    else {
      if (base.counts[at] === 0) base.tags[base.count++] = at;
      base.counts[at] = (base.counts[at] as number) + count;
    }
  }
  return alone;
}

/** Those that can be among the most frequent: most tags come once, and are not even read. */
function mostOf(of: TagCounts): FacetCount[] {
  const least = leastOfMost(of);
  const found: FacetCount[] = [];
  for (let i = 0; i < of.count; i++) {
    const tag = of.tags[i] as number;
    const count = of.counts[tag] as number;
    if (count >= least) found.push({ value: tagAt(of, tag), count });
  }
  return found;
}

/** What the last of the most frequent has. */
function leastOfMost({ counts, tags, count }: TagCounts): number {
  // The greatest counts, ascending.
  const most = new Int32Array(MOST_TAGS);
  for (let i = 0; i < count; i++) {
    const value = counts[tags[i] as number] as number;
    if (value <= (most[0] as number)) continue;
    let at = 1;
    for (; at < MOST_TAGS && (most[at] as number) < value; at++) most[at - 1] = most[at] as number;
    most[at - 1] = value;
  }
  return most[0] as number;
}

function tagAt({ list: { tagBytes, tagAt: at } }: TagCounts, tag: number): string {
  return Buffer.from(tagBytes.buffer, tagBytes.byteOffset, tagBytes.byteLength).toString('utf8', at[tag], at[tag + 1]);
}
