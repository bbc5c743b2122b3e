import type { CapabilitySegment } from './capability-segment.ts';
import type { Places } from './places.ts';
import type { Segment } from './segment.ts';

/** What a building thread hands over: an index at one moment of the database, in shared memory. */
export interface StateOf<S> {
  base: S;
  /** Rows of the base that were changed or removed since it was built. */
  dead: Int32Array | null;
  /** Everything that changed since. */
  delta: { segment: S; places: Places } | null;
  version: string;
}

export type CatalogState = StateOf<Segment>;

export interface CapabilityState extends StateOf<CapabilitySegment> {
  /** False while the first index is being built and covers only part of the capabilities. */
  is_whole: boolean;
}
