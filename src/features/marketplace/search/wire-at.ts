import { itemBytes, type Segment } from '../../registry/catalog/segment.ts';
import type { Listing } from '../shapes.ts';

/** The capability of a row, as it is shown. */
export function wireAt(list: Segment, row: number): Listing {
  const bytes = itemBytes(list, row);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Listing;
}
