import { SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { ENUM_VALUES } from './segment.ts';

/**
 * The enumerated facets of a capability as bits of one number, so that they are filtered and counted together. Only few combinations of
 * bits occur, so a row stores the number of its combination.
 */

/** A capability has one or several of `provider` and one of each other facet. */
const VALUES: Record<'provider' | 'listing_type' | 'execution_class' | 'level' | 'verified', readonly string[]> = {
  provider: SOURCES,
  listing_type: ENUM_VALUES.types,
  execution_class: ENUM_VALUES.classes,
  level: LEVELS,
  verified: ['true', 'false'],
};

export type EnumFacet = keyof typeof VALUES;
/** The facets that a search can filter by. */
export const FILTER_FACETS = ['provider', 'listing_type', 'execution_class', 'verified'] as const;

/** The facet and value of each bit. */
const BITS = (Object.keys(VALUES) as EnumFacet[]).flatMap((facet) => VALUES[facet].map((value) => ({ facet, value })));

interface FacetValues {
  provider: readonly string[];
  listing_type: string;
  execution_class: string;
  level: string;
  /** `true` or `false`. */
  verified: string;
}

export const bitsOfValues = (values: FacetValues): number =>
  bitsWhere(({ facet, value }) => (facet === 'provider' ? values.provider.includes(value) : values[facet] === value));

/** The bits of all values of a facet. */
export const facetBits = (facet: EnumFacet): number => bitsWhere((bit) => bit.facet === facet);

/** The bits that pass a filter: those of its values, or all of the facet if the filter is null. */
export function filterBits(facet: EnumFacet, filter: string | boolean | readonly string[] | null): number {
  if (filter === null) return facetBits(facet);
  const values = typeof filter === 'object' ? filter : [`${filter}`];
  return bitsWhere((bit) => bit.facet === facet && values.includes(bit.value));
}

function bitsWhere(matches: (bit: (typeof BITS)[number]) => boolean): number {
  return BITS.reduce((bits, bit, at) => (matches(bit) ? bits | (1 << at) : bits), 0);
}

/** Counts by bit. */
export type BitCounts = Int32Array;

export const noCounts = (): BitCounts => new Int32Array(BITS.length);

export function addCounts(counts: BitCounts, bits: number, count: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const at = 31 - Math.clz32(left & -left);
    counts[at] = (counts[at] as number) + count;
  }
}

/** The counts of a facet in the order of its values, zeros included. */
export const countsOf = (facet: EnumFacet, counts: BitCounts): { value: string; count: number }[] =>
  BITS.flatMap((bit, at) => (bit.facet === facet ? { value: bit.value, count: counts[at] as number } : []));

/** How many are verified. */
export const countVerified = (counts: BitCounts): number =>
  countsOf('verified', counts).reduce((sum, { value, count }) => sum + (value === 'true' ? count : 0), 0);
