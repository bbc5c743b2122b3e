import { hasBit } from '../index/bitset.ts';
import { addTraits, noTraits, type TraitCounts } from '../index/facet-bits.ts';
import type { IndexView, Part } from './marketplace-view.ts';

/** How much the whole index holds. */
export interface Whole {
  capabilities: number;
  /** What they are made of. */
  listings: number;
  traits: TraitCounts;
}

/** A view does not change: what was counted of it is kept as long as it is. */
const counted = new WeakMap<IndexView, Whole>();

export function countWhole(view: IndexView): Whole {
  const known = counted.get(view);
  if (known !== undefined) return known;
  const whole = { capabilities: view.vocabulary.count, listings: 0, traits: noTraits() };
  for (const part of view.parts) addPart(whole, part);
  counted.set(view, whole);
  return whole;
}

function addPart(whole: Whole, { segment, dead }: Part): void {
  const rows = new Uint32Array(segment.traitBits.length);
  for (let row = 0; row < segment.count; row++) {
    if (dead !== null && hasBit(dead, row)) continue;
    whole.listings += segment.members[row] as number;
    const traits = segment.traits[row] as number;
    rows[traits] = (rows[traits] as number) + 1;
  }
  for (const [traits, count] of rows.entries()) addTraits(whole.traits, segment.traitBits[traits] as number, count);
}
