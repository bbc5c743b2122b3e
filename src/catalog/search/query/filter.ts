import { bitsOf, hasBit } from '../index/bitset.ts';
import { FILTER_FACETS, filterBits } from '../index/facet-bits.ts';
import { tagRows } from './conditions.ts';
import type { Part } from './part.ts';

/** Null does not filter. */
export interface Filters {
  /** One, or any of several. */
  provider: string | readonly string[] | null;
  listing_type: string | null;
  execution_class: string | null;
  /** Folded. */
  tag: string | null;
  /** Whether a run of it took place here. */
  verified: boolean | null;
  /** A second source that all of them must have. It is not a facet. */
  also_listed_by?: string;
  /** Only the skills that the service ships, or everything else. They are not a facet. */
  built_in?: boolean;
}

export const NO_FILTERS: Filters = {
  provider: null,
  listing_type: null,
  execution_class: null,
  tag: null,
  verified: null,
};

/** The rows of a part that pass all filters, and the counts for its facets. Valid until the next query. */
export interface Filtered {
  part: Part;
  /** The first `count` rows of the scratch memory, ascending, with their scores. */
  count: number;
  /** The scratch memory counts the rows that pass the tag filter by combination. This many combinations have a count. */
  combinations: number;
  /** It counts the rows that pass all other filters by tag. This many tags have a count. */
  tags: number;
}

/** Filters the first `matched` rows of the scratch memory, and counts them for the facets in the same pass. */
export function filterRows(part: Part, matched: number, filters: Filters): Filtered {
  const { segment, scratch } = part;
  const { rows, scores } = scratch;
  const tagged = filters.tag === null ? null : bitsOf(tagRows(segment.list, filters.tag), segment.count);
  const passes = passingCombinations(segment.combinationBits, filters);
  const { built_in } = filters;
  const filtered: Filtered = { part, count: 0, combinations: 0, tags: 0 };
  for (let i = 0; i < matched; i++) {
    const row = rows[i] as number;
    if (built_in !== undefined && segment.builtIn.includes(row) !== built_in) continue;
    const hasTag = tagged === null || hasBit(tagged, row);
    const combination = segment.combinations[row] as number;
    if (hasTag) {
      const had = scratch.combinationCounts[combination] as number;
      if (had === 0) scratch.combinations[filtered.combinations++] = combination;
      scratch.combinationCounts[combination] = had + 1;
    }
    if (passes[combination] === 0) continue;
    countTags(filtered, row);
    if (!hasTag) continue;
    rows[filtered.count] = row;
    scores[filtered.count++] = scores[i] as number;
  }
  return filtered;
}

/** How many of the first `matched` rows of the scratch memory pass all filters but that by tag. */
export function countPassing({ segment, scratch: { rows } }: Part, matched: number, filters: Filters): number {
  if (FILTER_FACETS.every((facet) => filters[facet] === null)) return matched;
  const passes = passingCombinations(segment.combinationBits, filters);
  let count = 0;
  for (let i = 0; i < matched; i++) count += passes[segment.combinations[rows[i] as number] as number] as number;
  return count;
}

/** 1 for each combination of facet values that passes the filters. */
function passingCombinations(combinationBits: Int32Array, filters: Filters): Uint8Array {
  const passes = new Uint8Array(combinationBits.length).fill(1);
  for (const facet of FILTER_FACETS) {
    if (filters[facet] === null) continue;
    const wanted = filterBits(facet, filters[facet]);
    for (let i = 0; i < passes.length; i++) if (((combinationBits[i] as number) & wanted) === 0) passes[i] = 0;
  }
  if (filters.also_listed_by === undefined) return passes;
  const also = filterBits('provider', filters.also_listed_by);
  return passes.map((pass, i) => (((combinationBits[i] as number) & also) === 0 ? 0 : pass));
}

function countTags(filtered: Filtered, row: number): void {
  const { segment, scratch } = filtered.part;
  const { rowTags, rowTagsAt } = segment;
  const { tagCounts, tags } = scratch;
  const end = rowTagsAt[row + 1] as number;
  for (let i = rowTagsAt[row] as number; i < end; i++) {
    const tag = rowTags[i] as number;
    const had = tagCounts[tag] as number;
    if (had === 0) tags[filtered.tags++] = tag;
    tagCounts[tag] = had + 1;
  }
}
