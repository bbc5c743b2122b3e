import { readFileSync } from 'node:fs';
import type { Item } from '#catalog/items/item.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import { documentOfItem } from '#test/item-documents.ts';
import { dataFile } from '#test/test-data.ts';
import { runningWords, syntheticItems } from '../catalog/synthetic.ts';

/** The listings of CAPSTAN_TEST_DATA; none without it. */
export function realItems(): Item[] {
  const file = dataFile('listings.jsonl');
  if (file === null) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Item);
}

/** The real listings, and made-up ones of their words up to so many. */
export function documentsAt(count: number): CapabilityDocument[] {
  const real = realItems();
  const more = syntheticItems(Math.max(0, count - real.length), runningWords());
  return [...real, ...more].slice(0, count).map(documentOfItem);
}
