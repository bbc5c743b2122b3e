import { sharedInts } from './arrays.ts';
import { bitWords } from './bitset.ts';
import { readItem, type Segment } from './segment.ts';

/** A hash table from a listing's provider and external id to its row. Open addressing; an entry is row + 1. */

export const keyOf = (provider_id: string, external_id: string): string => `${provider_id}\n${external_id}`;

/** FNV-1a over UTF-16 code units. */
function hash(key: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193);
  return h ^ (h >>> 15);
}

/** At most two thirds full; its length is a power of two. */
export function buildKeyTable(keys: readonly string[]): Int32Array {
  const slots = 2 ** Math.ceil(Math.log2(bitWords(keys.length * 48) + 1));
  const table = sharedInts(slots);
  for (let row = 0; row < keys.length; row++) {
    let slot = hash(keys[row] as string) & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = row + 1;
  }
  return table;
}

/** -1 if the segment has no such listing. */
export function findRow(segment: Segment, key: string): number {
  const table = segment.keyTable;
  const mask = table.length - 1;
  for (let slot = hash(key) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
    const row = (table[slot] as number) - 1;
    const item = readItem(segment, row);
    if (keyOf(item.provider_id, item.external_id) === key) return row;
  }
  return -1;
}
