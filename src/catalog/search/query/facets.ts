import { bufferOver } from '../index/arrays.ts';
import { hasBit } from '../index/bitset.ts';
import {
  addCounts,
  BIT_WORDS,
  type BitCounts,
  countsOf,
  countTrue,
  FILTER_FACETS,
  facetBits,
  filterBits,
  hasAnyBit,
  NO_CATEGORY,
  noCounts,
} from '../index/facet-bits.ts';
import { findTerm } from '../index/term-dictionary.ts';
import { type Filtered, type Filters, UPDATED, type Updated } from './filter.ts';
import type { MarketplaceView } from './marketplace-view.ts';
import { AGES, type Part } from './part.ts';

/** How many matches have each value. A facet ignores its own filter, so that it says what another choice would find. */

interface FacetCount<V = string> {
  value: V;
  count: number;
}
export interface Facets
  extends Record<
    'provider' | 'listing_type' | 'execution_class' | 'tag' | 'availability' | 'license' | 'level' | 'category',
    FacetCount[]
  > {
  verified: FacetCount<boolean>[];
  confirmed: FacetCount<boolean>[];
  updated: FacetCount<Updated>[];
}

const MOST_TAGS = 20;

/** Sets the counts in the scratch memory back to zero. */
export function facetsOf(parts: readonly Filtered[], filters: Filters): Facets {
  const { counts, ages } = countCombinations(parts, filters);
  return {
    provider: mostFirst(countsOf('provider', counts)),
    listing_type: mostFirst(countsOf('listing_type', counts)),
    execution_class: mostFirst(countsOf('execution_class', counts)),
    tag: countTags(parts),
    verified: trueFirst('verified', counts),
    availability: mostFirst(countsOf('availability', counts)),
    confirmed: trueFirst('confirmed', counts),
    level: atLeast(countsOf('level', counts)),
    license: mostFirst(countsOf('license', counts)),
    category: mostFirst(countsOf('category', counts)).filter(({ value }) => value !== NO_CATEGORY),
    updated: UPDATED.map((value, at) => ({ value, count: sumOf(ages.slice(0, at + 1)) })).filter(
      ({ count }) => count > 0,
    ),
  };
}

const mostFirst = (counts: FacetCount[]): FacetCount[] =>
  counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function trueFirst(facet: 'verified' | 'confirmed', counts: BitCounts): FacetCount<boolean>[] {
  const all = sumOf(countsOf(facet, counts).map(({ count }) => count));
  const held = countTrue(facet, counts);
  return [
    { value: true, count: held },
    { value: false, count: all - held },
  ].filter(({ count }) => count > 0);
}

/** Each with those above it. */
const atLeast = (counts: FacetCount[]): FacetCount[] =>
  counts
    .map(({ value }, at) => ({ value, count: sumOf(counts.slice(at).map(({ count }) => count)) }))
    .filter(({ count }) => count > 0);

/** A combination that only one filter rejects counts for the facet of that filter. */
function countCombinations(parts: readonly Filtered[], filters: Filters): { counts: BitCounts; ages: number[] } {
  const masks = FILTER_FACETS.flatMap((facet) => {
    const filter = filters[facet];
    return filter === null ? [] : [{ wanted: filterBits(facet, filter), own: facetBits(facet) }];
  });
  const counted = { counts: noCounts(), ages: Array.from({ length: AGES }, () => 0) };
  const oldest = filters.updated === null ? AGES - 1 : UPDATED.indexOf(filters.updated);
  for (const { part, combinations: length } of parts) {
    const { combinationCounts, combinations } = part.scratch;
    const { combinationBits } = part.segment;
    for (let i = 0; i < length; i++) {
      const place = combinations[i] as number;
      const [combination, age] = [Math.floor(place / AGES), place % AGES];
      const count = combinationCounts[place] as number;
      combinationCounts[place] = 0;
      const failed = masks.filter(({ wanted }) => !hasAnyBit(combinationBits, combination, wanted));
      if (failed.length === 0) counted.ages[age] = (counted.ages[age] as number) + count;
      if (failed.length > 1 || age > oldest) continue;
      for (let word = 0; word < BIT_WORDS; word++) {
        const bits = combinationBits[combination * BIT_WORDS + word] as number;
        addCounts(counted.counts, word, failed.length === 0 ? bits : bits & (failed[0]?.own[word] as number), count);
      }
    }
  }
  return counted;
}

/** The most frequent tags, folded. */
function countTags([base, delta]: readonly Filtered[]): FacetCount[] {
  if (base === undefined) return [];
  const onlyInDelta = delta === undefined ? [] : addTags(base, delta);
  const found = [...frequentTags(base), ...onlyInDelta];
  for (const { part, tags } of [base, delta].filter((filtered) => filtered !== undefined))
    for (let i = 0; i < tags; i++) part.scratch.tagCounts[part.scratch.tags[i] as number] = 0;
  return mostFirst(found).slice(0, MOST_TAGS);
}

/** Adds the counts of the delta to those of the base, and returns those of tags that the base does not have. */
function addTags(base: Filtered, delta: Filtered): FacetCount[] {
  const { tagBytes, tagAt } = base.part.segment.list;
  const { tagCounts, tags } = base.part.scratch;
  const onlyInDelta: FacetCount[] = [];
  const textOf = tagTexts(delta);
  for (let i = 0; i < delta.tags; i++) {
    const tag = delta.part.scratch.tags[i] as number;
    const value = textOf(tag);
    const at = findTerm(tagBytes, tagAt, value);
    const count = delta.part.scratch.tagCounts[tag] as number;
    if (at < 0) onlyInDelta.push({ value, count });
    else {
      if (tagCounts[at] === 0) tags[base.tags++] = at;
      tagCounts[at] = (tagCounts[at] as number) + count;
    }
  }
  return onlyInDelta;
}

/** The tags that can be among the most frequent. Most tags occur once, and their text is not even read. */
function frequentTags(filtered: Filtered): FacetCount[] {
  const { tagCounts, tags } = filtered.part.scratch;
  const least = leastFrequentCount(filtered);
  const textOf = tagTexts(filtered);
  const found: FacetCount[] = [];
  for (let i = 0; i < filtered.tags; i++) {
    const tag = tags[i] as number;
    const count = tagCounts[tag] as number;
    if (count >= least) found.push({ value: textOf(tag), count });
  }
  return found;
}

/** The count of the last of the most frequent. */
function leastFrequentCount({ part: { scratch }, tags: length }: Filtered): number {
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

function tagTexts({ part }: Filtered): (tag: number) => string {
  const { tagBytes, tagAt } = part.segment.list;
  const bytes = bufferOver(tagBytes);
  return (tag) => bytes.toString('utf8', tagAt[tag], tagAt[tag + 1]);
}

/** Counts over the whole index. */
interface Totals {
  capabilities: number;
  /** The listings that were merged into them. */
  listings: number;
  counts: BitCounts;
}

/** A view never changes, so its totals are kept as long as it is. */
const totals = new WeakMap<MarketplaceView, Totals>();

export function totalsOf(view: MarketplaceView): Totals {
  const known = totals.get(view);
  if (known !== undefined) return known;
  const counted = { capabilities: view.vocabulary.count, listings: 0, counts: noCounts() };
  for (const part of view.parts) addPart(counted, part);
  totals.set(view, counted);
  return counted;
}

function addPart(counted: Totals, { segment, deleted }: Part): void {
  const rows = new Uint32Array(segment.combinationBits.length / BIT_WORDS);
  for (let row = 0; row < segment.count; row++) {
    if (deleted !== null && hasBit(deleted, row)) continue;
    counted.listings += segment.listings[row] as number;
    const combination = segment.combinations[row] as number;
    rows[combination] = (rows[combination] as number) + 1;
  }
  for (const [combination, count] of rows.entries())
    for (let word = 0; word < BIT_WORDS; word++)
      addCounts(counted.counts, word, segment.combinationBits[combination * BIT_WORDS + word] as number, count);
}
