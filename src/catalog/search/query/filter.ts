import { bitsOf, bitWords, hasBit, setBit } from '../index/bitset.ts';
import { BIT_WORDS, FILTER_FACETS, type FilterValue, filterBits, hasAnyBit } from '../index/facet-bits.ts';
import { tagRows } from './conditions.ts';
import { AGES, type Part } from './part.ts';

/** What a search may ask about the last update: within so many days. */
export const UPDATED = ['30d', '365d'] as const;
export type Updated = (typeof UPDATED)[number];
const UPDATED_DAYS: Record<Updated, number> = { '30d': 30, '365d': 365 };

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
  /** One, or any of several. */
  availability: string | readonly string[] | null;
  /** Whether its owner is known. */
  confirmed: boolean | null;
  /** The lowest. */
  level: string | null;
  /** One, or any of several groups. */
  license: string | readonly string[] | null;
  /** What it is for. */
  category: string | null;
  /** By what providers report. */
  updated: Updated | null;
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
  availability: null,
  confirmed: null,
  level: null,
  license: null,
  category: null,
  updated: null,
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

/**
 * Filters the first `matched` rows of the scratch memory, and counts them for the facets in the same pass. `today` is in days, for the
 * age of the last update.
 */
export function filterRows(part: Part, matched: number, filters: Filters, today: number): Filtered {
  const { segment, scratch } = part;
  const { rows, scores } = scratch;
  const tagged = filters.tag === null ? null : bitsOf(tagRows(segment.list, filters.tag), segment.count);
  const passes = passingCombinations(segment.combinationBits, filters);
  const { built_in } = filters;
  const oldest = oldestAge(filters);
  const filtered: Filtered = { part, count: 0, combinations: 0, tags: 0 };
  for (let i = 0; i < matched; i++) {
    const row = rows[i] as number;
    if (built_in !== undefined && segment.builtIn.includes(row) !== built_in) continue;
    const hasTag = tagged === null || hasBit(tagged, row);
    const combination = segment.combinations[row] as number;
    const age = ageOf(segment.updatedDays[row] as number, today);
    if (hasTag) {
      const place = combination * AGES + age;
      const had = scratch.combinationCounts[place] as number;
      if (had === 0) scratch.combinations[filtered.combinations++] = place;
      scratch.combinationCounts[place] = had + 1;
    }
    if (passes[combination] === 0 || age > oldest) continue;
    countTags(filtered, row);
    if (!hasTag) continue;
    rows[filtered.count] = row;
    scores[filtered.count++] = scores[i] as number;
  }
  return filtered;
}

export const hasFilter = ({ tag, updated, also_listed_by, built_in, ...facets }: Filters): boolean =>
  tag !== null ||
  updated !== null ||
  also_listed_by !== undefined ||
  built_in !== undefined ||
  FILTER_FACETS.some((facet) => facets[facet] !== null);

/** The rows that are deleted or do not pass the filters, as bits. */
export function rowsLeftOut({ segment, deleted }: Part, filters: Filters, today: number): Int32Array {
  const leftOut = new Int32Array(bitWords(segment.count));
  if (deleted !== null) leftOut.set(deleted);
  const tagged = filters.tag === null ? null : bitsOf(tagRows(segment.list, filters.tag), segment.count);
  const passes = passingCombinations(segment.combinationBits, filters);
  const oldest = oldestAge(filters);
  for (let row = 0; row < segment.count; row++) {
    const isPassing =
      passes[segment.combinations[row] as number] !== 0 &&
      (tagged === null || hasBit(tagged, row)) &&
      ageOf(segment.updatedDays[row] as number, today) <= oldest;
    if (!isPassing) setBit(leftOut, row);
  }
  const { built_in } = filters;
  if (built_in === undefined) return leftOut;
  if (!built_in) for (const row of segment.builtIn) setBit(leftOut, row);
  else {
    const builtIn = bitsOf(segment.builtIn, segment.count);
    for (let row = 0; row < segment.count; row++) if (!hasBit(builtIn, row)) setBit(leftOut, row);
  }
  return leftOut;
}

/** How many of the first `matched` rows of the scratch memory pass all filters but that by tag. */
export function countPassing(
  { segment, scratch: { rows } }: Part,
  matched: number,
  filters: Filters,
  today: number,
): number {
  const oldest = oldestAge(filters);
  if (oldest === OLDEST && FILTER_FACETS.every((facet) => filters[facet] === null)) return matched;
  const passes = passingCombinations(segment.combinationBits, filters);
  let count = 0;
  for (let i = 0; i < matched; i++) {
    const row = rows[i] as number;
    if (ageOf(segment.updatedDays[row] as number, today) <= oldest)
      count += passes[segment.combinations[row] as number] as number;
  }
  return count;
}

const OLDEST = AGES - 1;

/** The place of an update among `UPDATED`, or the last age if it is older or nobody reports one. */
function ageOf(day: number, today: number): number {
  if (day >= today - UPDATED_DAYS['30d'] && day > 0) return 0;
  return day >= today - UPDATED_DAYS['365d'] && day > 0 ? 1 : OLDEST;
}

const oldestAge = ({ updated }: Filters): number => (updated === null ? OLDEST : UPDATED.indexOf(updated));

/** 1 for each combination of facet values that passes the filters. */
function passingCombinations(combinationBits: Int32Array, filters: Filters): Uint8Array {
  const passes = new Uint8Array(combinationBits.length / BIT_WORDS).fill(1);
  const keep = (facet: (typeof FILTER_FACETS)[number], filter: FilterValue): void => {
    const wanted = filterBits(facet, filter);
    for (let i = 0; i < passes.length; i++) if (!hasAnyBit(combinationBits, i, wanted)) passes[i] = 0;
  };
  for (const facet of FILTER_FACETS) if (filters[facet] !== null) keep(facet, filters[facet]);
  if (filters.also_listed_by !== undefined) keep('provider', filters.also_listed_by);
  return passes;
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
