import { type Flagged, type FlaggedListings, flaggedOf } from '#catalog/items/flagged.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { hasBit } from './index/bitset.ts';
import { type CapabilitySegment, readCapability } from './index/capability-segment.ts';
import type { CapabilityIndex } from './marketplace-index.ts';
import type { MarketplaceView } from './query/marketplace-view.ts';

type Place = Flagged['places'][number];

const UNKNOWN = flaggedOf([], false, '');

/** The listings of flagged capabilities, from the index. They are few, and read once per segment. */
export function flaggedListings(index: Pick<CapabilityIndex, 'view'>): FlaggedListings {
  const bySegment = new WeakMap<CapabilitySegment, ReadonlyMap<number, readonly Place[]>>();
  let known: { view: MarketplaceView; flagged: Flagged } | null = null;
  const placesOf = (segment: CapabilitySegment): ReadonlyMap<number, readonly Place[]> => {
    const before = bySegment.get(segment);
    if (before !== undefined) return before;
    const found = new Map(Array.from(segment.flagged, (row) => [row, placesAt(segment, row)]));
    bySegment.set(segment, found);
    return found;
  };
  const flaggedIn = (view: MarketplaceView): Flagged => {
    if (known?.view === view) return known.flagged;
    const places = view.parts.flatMap(({ segment, deleted }) =>
      [...placesOf(segment)].flatMap(([row, own]) => (deleted !== null && hasBit(deleted, row) ? [] : own)),
    );
    const version = (hashOf(JSON.stringify(places.map(String).toSorted())) >>> 0).toString(36);
    known = { view, flagged: flaggedOf(places, view.is_whole, view.is_whole ? version : `${version}-early`) };
    return known.flagged;
  };
  return {
    known() {
      const view = index.view();
      if (!(view instanceof Promise)) return flaggedIn(view);
      // A list of the registry does not wait for the marketplace's index, and ignores that it is warming up.
      view.catch(() => {});
      return known?.flagged ?? UNKNOWN;
    },
    read: async () => flaggedIn(await index.view()),
  };
}

const placesAt = ({ list }: CapabilitySegment, row: number): Place[] =>
  readCapability(list, row).sources.map(({ provider, external_id }) => [provider, external_id]);
