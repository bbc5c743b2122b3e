import { SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { CLOSED_SETS } from './segment.ts';

/**
 * What can be told of a capability from closed lists, as bits of one number: tested and counted together. There are few
 * different such numbers, so that each row has the place of its own among them.
 */

/** By facet. A capability has one or several of `provider`, and one of each other. */
const VALUES: Record<'provider' | 'listing_type' | 'execution_class' | 'level' | 'verified', readonly string[]> = {
  provider: SOURCES,
  listing_type: CLOSED_SETS.types,
  execution_class: CLOSED_SETS.classes,
  level: LEVELS,
  verified: ['true', 'false'],
};

export type ClosedFacet = keyof typeof VALUES;
/** Those that can be asked for. */
export const CLOSED_FACETS = ['provider', 'listing_type', 'execution_class', 'verified'] as const;

/** By bit. */
const TRAITS = (Object.keys(VALUES) as ClosedFacet[]).flatMap((facet) =>
  VALUES[facet].map((value) => ({ facet, value })),
);

export interface Traits {
  provider: readonly string[];
  listing_type: string;
  execution_class: string;
  level: string;
  /** `true` or `false`. */
  verified: string;
}

export const traitBits = (traits: Traits): number =>
  bitsOf(({ facet, value }) => (facet === 'provider' ? traits.provider.includes(value) : traits[facet] === value));

/** All that a facet can be. */
export const facetBits = (facet: ClosedFacet): number => bitsOf((trait) => trait.facet === facet);

/** Of those what is asked for; all where nothing is. */
export const askedBits = (facet: ClosedFacet, asked: string | boolean | null): number =>
  asked === null ? facetBits(facet) : bitsOf((trait) => trait.facet === facet && trait.value === `${asked}`);

function bitsOf(isMeant: (trait: (typeof TRAITS)[number]) => boolean): number {
  return TRAITS.reduce((bits, trait, at) => (isMeant(trait) ? bits | (1 << at) : bits), 0);
}

/** How many have each trait, by its bit. */
export type TraitCounts = Int32Array;

export const noTraits = (): TraitCounts => new Int32Array(TRAITS.length);

export function addTraits(counts: TraitCounts, bits: number, count: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const at = 31 - Math.clz32(left & -left);
    counts[at] = (counts[at] as number) + count;
  }
}

/** In the order of the facet's list, with those that none has. */
export const countsOf = (facet: ClosedFacet, counts: TraitCounts): { value: string; count: number }[] =>
  TRAITS.flatMap((trait, at) => (trait.facet === facet ? { value: trait.value, count: counts[at] as number } : []));

/** How many are verified. */
export const countVerified = (counts: TraitCounts): number =>
  countsOf('verified', counts).reduce((sum, { value, count }) => sum + (value === 'true' ? count : 0), 0);
