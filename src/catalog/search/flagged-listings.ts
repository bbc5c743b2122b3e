import { type Flagged, type FlaggedListings, flaggedOf } from '#catalog/items/flagged.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { hasBit } from './index/bitset.ts';
import type { CapabilitySegment } from './index/capability-segment.ts';
import { wireAt } from './index/capability-segment.ts';
import type { CapabilityIndex } from './marketplace-index.ts';
import type { IndexView } from './query/marketplace-view.ts';

/** The listings of flagged capabilities, out of the index: few, and read once for each segment. */

type Place = Flagged['places'][number];

const UNKNOWN = flaggedOf([], false, '');

export function flaggedListings(index: Pick<CapabilityIndex, 'view'>): FlaggedListings {
  const of_segment = new WeakMap<CapabilitySegment, ReadonlyMap<number, readonly Place[]>>();
  let known: { view: IndexView; flagged: Flagged } | null = null;
  const placesOf = (segment: CapabilitySegment): ReadonlyMap<number, readonly Place[]> => {
    const before = of_segment.get(segment);
    if (before !== undefined) return before;
    const found = new Map(Array.from(segment.flagged, (row) => [row, placesAt(segment, row)]));
    of_segment.set(segment, found);
    return found;
  };
  const flaggedIn = (view: IndexView): Flagged => {
    if (known?.view === view) return known.flagged;
    const places = view.parts.flatMap(({ segment, dead }) =>
      [...placesOf(segment)].flatMap(([row, its]) => (dead !== null && hasBit(dead, row) ? [] : its)),
    );
    const version = (hashOf(JSON.stringify(places.map(String).toSorted())) >>> 0).toString(36);
    known = { view, flagged: flaggedOf(places, view.is_whole, view.is_whole ? version : `${version}-early`) };
    return known.flagged;
  };
  return {
    known() {
      const view = index.view();
      if (!(view instanceof Promise)) return flaggedIn(view);
      // Whoever reads the registry does not wait for the marketplace; a refusal while it warms up is no news here.
      view.catch(() => {});
      return known?.flagged ?? UNKNOWN;
    },
    read: async () => flaggedIn(await index.view()),
  };
}

const placesAt = ({ list }: CapabilitySegment, row: number): Place[] =>
  wireAt(list, row).sources.map(({ provider, external_id }) => [provider, external_id]);
