import { AVAILABILITIES } from '#catalog/items/availability.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { CATEGORIES } from '../text/categories.ts';
import { LICENSE_GROUPS } from './license-group.ts';
import { ENUM_VALUES } from './segment.ts';

/**
 * The enumerated facets of a capability as bits of a few numbers, so that they are filtered and counted together. Only few combinations
 * of bits occur, so a row stores the number of its combination.
 */

/** Of what is close to none. It is not offered as a filter. */
export const NO_CATEGORY = 'none';

/** A capability has one or several of `provider` and one of each other facet. */
const VALUES = {
  provider: SOURCES,
  listing_type: ENUM_VALUES.types,
  execution_class: ENUM_VALUES.classes,
  level: LEVELS,
  verified: ['true', 'false'],
  availability: AVAILABILITIES,
  confirmed: ['true', 'false'],
  license: LICENSE_GROUPS,
  category: [...CATEGORIES, NO_CATEGORY],
} as const satisfies Record<string, readonly string[]>;

export type EnumFacet = keyof typeof VALUES;
/** The facets that a search can filter by. */
export const FILTER_FACETS = Object.keys(VALUES) as EnumFacet[];

/** The facet and value of each bit. */
const BITS = FILTER_FACETS.flatMap((facet) => VALUES[facet].map((value) => ({ facet, value })));

/** How many numbers hold the bits of a combination. */
export const BIT_WORDS = Math.ceil(BITS.length / 32);

/** `BIT_WORDS` numbers. */
export type FacetBits = readonly number[];

/** `verified` and `confirmed` are `true` or `false`. */
type FacetValues = Record<Exclude<EnumFacet, 'provider'>, string> & { provider: readonly string[] };

export const bitsOfValues = (values: FacetValues): FacetBits =>
  bitsWhere(({ facet, value }) => (facet === 'provider' ? values.provider.includes(value) : values[facet] === value));

/** The bits of all values of a facet. */
export const facetBits = (facet: EnumFacet): FacetBits => bitsWhere((bit) => bit.facet === facet);

export type FilterValue = string | boolean | readonly string[] | null;

/** The bits that pass a filter: those of its values, or all of the facet if the filter is null. A level includes all above it. */
export function filterBits(facet: EnumFacet, filter: FilterValue): FacetBits {
  if (filter === null) return facetBits(facet);
  const named = typeof filter === 'object' ? filter : [`${filter}`];
  const values =
    facet === 'level' ? LEVELS.slice(Math.max(0, (LEVELS as readonly string[]).indexOf(named[0] ?? ''))) : named;
  return bitsWhere((bit) => bit.facet === facet && (values as readonly string[]).includes(bit.value));
}

function bitsWhere(matches: (bit: (typeof BITS)[number]) => boolean): FacetBits {
  const words = Array.from({ length: BIT_WORDS }, () => 0);
  for (const [at, bit] of BITS.entries())
    if (matches(bit)) words[at >> 5] = (words[at >> 5] as number) | (1 << (at & 31));
  return words;
}

/** Whether the combination at this place of `combinationBits` has one of the bits. */
export function hasAnyBit(combinationBits: Int32Array, combination: number, bits: FacetBits): boolean {
  for (let word = 0; word < BIT_WORDS; word++)
    if (((combinationBits[combination * BIT_WORDS + word] as number) & (bits[word] as number)) !== 0) return true;
  return false;
}

/** Counts by bit. */
export type BitCounts = Int32Array;

export const noCounts = (): BitCounts => new Int32Array(BITS.length);

/** Of one of the numbers of a combination. */
export function addCounts(counts: BitCounts, word: number, bits: number, count: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const at = word * 32 + 31 - Math.clz32(left & -left);
    counts[at] = (counts[at] as number) + count;
  }
}

/** The counts of a facet in the order of its values, zeros included. */
export const countsOf = (facet: EnumFacet, counts: BitCounts): { value: string; count: number }[] =>
  BITS.flatMap((bit, at) => (bit.facet === facet ? { value: bit.value, count: counts[at] as number } : []));

/** How many are verified. */
export const countVerified = (counts: BitCounts): number => countTrue('verified', counts);

export const countTrue = (facet: 'verified' | 'confirmed', counts: BitCounts): number =>
  countsOf(facet, counts).reduce((sum, { value, count }) => sum + (value === 'true' ? count : 0), 0);
