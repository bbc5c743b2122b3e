import {
  addTraits,
  askedBits,
  CLOSED_FACETS,
  countsOf,
  countVerified,
  facetBits,
  noTraits,
} from '../index/facet-bits.ts';
import { textAt } from '../index/term-dictionary.ts';
import type { Sifted } from './filter.ts';
import type { Filters } from './filters.ts';

/** How many of what was found have which value. A facet is counted without its own filter: what another choice would find. */

export interface FacetCount<V = string> {
  value: V;
  count: number;
}
export type Facets = { [F in Exclude<keyof Filters, 'verified'>]: FacetCount[] } & { verified: FacetCount<boolean>[] };

const MOST_TAGS = 20;

/** Uses the counts up: afterwards they are zeros again. */
export function facetsOf(parts: readonly Sifted[], asked: Filters): Facets {
  const traits = countTraits(parts, asked);
  const all = countsOf('verified', traits).reduce((sum, { count }) => sum + count, 0);
  const verified = countVerified(traits);
  return {
    provider: mostFirst(countsOf('provider', traits)),
    listing_type: mostFirst(countsOf('listing_type', traits)),
    execution_class: mostFirst(countsOf('execution_class', traits)),
    tag: countTags(parts),
    verified: [
      { value: true, count: verified },
      { value: false, count: all - verified },
    ].filter(({ count }) => count > 0),
  };
}

const mostFirst = (counts: FacetCount[]): FacetCount[] =>
  counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

/** What fails one filter alone counts for that facet alone. */
function countTraits(parts: readonly Sifted[], asked: Filters): Int32Array {
  const filters = CLOSED_FACETS.map((facet) => ({ wanted: askedBits(facet, asked[facet]), of: facetBits(facet) }));
  const counts = noTraits();
  for (const { part, traits } of parts) {
    const { traitCounts, traits: found } = part.scratch;
    for (let i = 0; i < traits; i++) {
      const at = found[i] as number;
      const all = part.segment.traitBits[at] as number;
      const bits = filters.reduce((left, { wanted, of }) => ((all & wanted) === 0 ? left & of : left), all);
      addTraits(counts, bits, traitCounts[at] as number);
      traitCounts[at] = 0;
    }
  }
  return counts;
}

/** The most frequent of all, folded, as tags are looked up. */
function countTags([base, delta]: readonly Sifted[]): FacetCount[] {
  if (base === undefined) return [];
  const alone = delta === undefined ? [] : addTags(base, delta);
  const found = [...mostOf(base), ...alone];
  for (const { part, tags } of [base, delta].filter((sifted) => sifted !== undefined))
    for (let i = 0; i < tags; i++) part.scratch.tagCounts[part.scratch.tags[i] as number] = 0;
  return mostFirst(found).slice(0, MOST_TAGS);
}

/** Adds what a delta has to the base's counts; answers those of which the base has none. */
function addTags(base: Sifted, delta: Sifted): FacetCount[] {
  const { tagBytes, tagAt } = base.part.segment.list;
  const { tagCounts, tags } = base.part.scratch;
  const alone: FacetCount[] = [];
  const textOf = tagTexts(delta);
  for (let i = 0; i < delta.tags; i++) {
    const tag = delta.part.scratch.tags[i] as number;
    const value = textOf(tag);
    const at = textAt(tagBytes, tagAt, Buffer.from(value));
    const count = delta.part.scratch.tagCounts[tag] as number;
    if (at < 0) alone.push({ value, count });
    else {
      if (tagCounts[at] === 0) tags[base.tags++] = at;
      tagCounts[at] = (tagCounts[at] as number) + count;
    }
  }
  return alone;
}

/** Those that can be among the most frequent: most tags come once, and are not even read. */
function mostOf(of: Sifted): FacetCount[] {
  const { tagCounts, tags } = of.part.scratch;
  const least = leastOfMost(of);
  const textOf = tagTexts(of);
  const found: FacetCount[] = [];
  for (let i = 0; i < of.tags; i++) {
    const tag = tags[i] as number;
    const count = tagCounts[tag] as number;
    if (count >= least) found.push({ value: textOf(tag), count });
  }
  return found;
}

/** What the last of the most frequent has. */
function leastOfMost({ part: { scratch }, tags: length }: Sifted): number {
  const { tagCounts, tags } = scratch;
  // The greatest counts, ascending.
  const most = new Int32Array(MOST_TAGS);
  for (let i = 0; i < length; i++) {
    const value = tagCounts[tags[i] as number] as number;
    if (value <= (most[0] as number)) continue;
    let at = 1;
    for (; at < MOST_TAGS && (most[at] as number) < value; at++) most[at - 1] = most[at] as number;
    most[at - 1] = value;
  }
  return most[0] as number;
}

function tagTexts({ part }: Sifted): (tag: number) => string {
  const { tagBytes, tagAt } = part.segment.list;
  const bytes = Buffer.from(tagBytes.buffer, tagBytes.byteOffset, tagBytes.byteLength);
  return (tag) => bytes.toString('utf8', tagAt[tag], tagAt[tag + 1]);
}
