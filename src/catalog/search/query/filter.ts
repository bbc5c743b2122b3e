import { hasBit } from '../index/bitset.ts';
import { askedBits, CLOSED_FACETS } from '../index/facet-bits.ts';
import { type Filters, tagSet } from './filters.ts';
import type { Part } from './marketplace-view.ts';

/** Narrows what matches in one part, and counts what facets are made of, in one pass over its rows. */

export interface Sifted {
  part: Part;
  /** Rows that pass all filters: so many stand in the scratch, ascending, with their scores. As all counts until the next query. */
  count: number;
  /** By combination of traits: of what the tag's filter leaves. The first `traits` of the scratch's are those above 0. */
  traits: number;
  /** By tag: of what all filters but the tag's leave. The first `tags` of the scratch's are those above 0. */
  tags: number;
}

/** Of the first `matched` rows of the scratch. */
export function sift(part: Part, matched: number, asked: Filters): Sifted {
  const { segment, scratch } = part;
  const { rows, scores } = scratch;
  const set = asked.tag === null ? null : tagSet(segment, asked.tag);
  const passes = passing(segment.traitBits, asked);
  const sifted: Sifted = { part, count: 0, traits: 0, tags: 0 };
  for (let i = 0; i < matched; i++) {
    const row = rows[i] as number;
    const has_tag = set === null || hasBit(set, row);
    const trait = segment.traits[row] as number;
    if (has_tag) {
      const had = scratch.traitCounts[trait] as number;
      if (had === 0) scratch.traits[sifted.traits++] = trait;
      scratch.traitCounts[trait] = had + 1;
    }
    if (passes[trait] === 0) continue;
    countTags(sifted, row);
    if (!has_tag) continue;
    rows[sifted.count] = row;
    scores[sifted.count++] = scores[i] as number;
  }
  return sifted;
}

/** By combination of traits: 1 where the filters of closed lists let it pass. */
function passing(traitBits: Int32Array, asked: Filters): Uint8Array {
  const passes = new Uint8Array(traitBits.length).fill(1);
  for (const facet of CLOSED_FACETS) {
    if (asked[facet] === null) continue;
    const wanted = askedBits(facet, asked[facet]);
    for (let i = 0; i < passes.length; i++) if (((traitBits[i] as number) & wanted) === 0) passes[i] = 0;
  }
  return passes;
}

function countTags(sifted: Sifted, row: number): void {
  const { segment, scratch } = sifted.part;
  const { rowTags, rowTagsAt } = segment;
  const { tagCounts, tags } = scratch;
  const end = rowTagsAt[row + 1] as number;
  for (let i = rowTagsAt[row] as number; i < end; i++) {
    const tag = rowTags[i] as number;
    const had = tagCounts[tag] as number;
    if (had === 0) tags[sifted.tags++] = tag;
    tagCounts[tag] = had + 1;
  }
}
