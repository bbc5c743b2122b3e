import { bitWords, popcount } from '../../registry/catalog/bits.ts';
import { CLOSED_SETS } from '../../registry/catalog/segment.ts';
import { isVerified, LEVELS, SOURCES } from './document.ts';
import type { Filters, Sifted } from './filters.ts';
import type { CapabilitySegment } from './segment.ts';

/** How many of what was found have which value. A facet is counted without its own filter: what another choice would find. */

export interface FacetCount<V = string> {
  value: V;
  count: number;
}
export type Facets = { [F in Exclude<keyof Filters, 'verified'>]: FacetCount[] } & { verified: FacetCount<boolean>[] };

export interface Sieved {
  segment: CapabilitySegment;
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
    tag: mostFirst(countTags(parts)).slice(0, MOST_TAGS),
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

function countTags(parts: readonly Sieved[]): FacetCount[] {
  const [first, ...others] = parts.map(tagCounts);
  const all = first ?? [];
  for (const other of others) {
    const byTag = new Map(all.map((it) => [it.value, it]));
    for (const it of other) {
      const known = byTag.get(it.value);
      if (known === undefined) all.push(it);
      else known.count += it.count;
    }
  }
  return all;
}

/** Folded, as tags are looked up. */
function tagCounts({ segment, sifted }: Sieved): FacetCount[] {
  const { list, rowTags, rowTagsAt } = segment;
  const counts = new Int32Array(list.tagAt.length);
  const found = sifted.without.tag;
  for (const w of sifted.filled)
    for (let word = found[w] as number; word !== 0; word &= word - 1) {
      const row = (w << 5) + 31 - Math.clz32(word & -word);
      for (let i = rowTagsAt[row] as number; i < (rowTagsAt[row + 1] as number); i++) {
        const tag = rowTags[i] as number;
        counts[tag] = (counts[tag] as number) + 1;
      }
    }
  const bytes = Buffer.from(list.tagBytes.buffer, list.tagBytes.byteOffset, list.tagBytes.byteLength);
  const tags: FacetCount[] = [];
  counts.forEach((count, tag) => {
    if (count > 0) tags.push({ value: bytes.toString('utf8', list.tagAt[tag], list.tagAt[tag + 1]), count });
  });
  return tags;
}
