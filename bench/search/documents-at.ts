import { readFileSync } from 'node:fs';
import type { Item } from '#catalog/items/item.ts';
import type { CapabilityDocument } from '#marketplace/search/document.ts';
import { runningWords, syntheticItems } from '../catalog/synthetic.ts';
import { documentOf } from './documents.ts';

const LISTINGS = new URL('../../../shared/data/listings.jsonl', import.meta.url);

/** The real listings. */
export const realItems = (): Item[] =>
  readFileSync(LISTINGS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Item);

/** The real listings, and made-up ones of their words up to so many. */
export function documentsAt(count: number): CapabilityDocument[] {
  const real = realItems();
  const more = syntheticItems(Math.max(0, count - real.length), runningWords());
  return [...real, ...more].slice(0, count).map(documentOf);
}
