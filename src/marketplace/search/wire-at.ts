import { itemBytes, type Segment } from '#catalog/index/segment.ts';
import type { Listing } from '#marketplace/listings/shapes.ts';
import { type IndexView, placeIn } from './view.ts';

/** The capability of a row, as it is shown. */
export function wireAt(list: Segment, row: number): Listing {
  const bytes = itemBytes(list, row);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Listing;
}

/** The same of a search's hit. */
export function wireOfHit(view: IndexView, hit: number): Listing {
  const { part, row } = placeIn(view, hit);
  return wireAt(part.segment.list, row);
}
