import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpWords, syntheticItems } from '../bench/catalog/synthetic.ts';

/**
 * `CAPSTAN_TEST_DATA` names a folder with records that providers really sent: `listings.jsonl` in the format of
 * `capstand export`, and a folder per provider. Without it, tests and benches make listings of their own.
 */
export const TEST_DATA = process.env.CAPSTAN_TEST_DATA ?? null;

/** A file of that folder; null without the folder or the file. */
export function dataFile(path: string): string | null {
  if (TEST_DATA === null) return null;
  const file = join(TEST_DATA, path);
  return existsSync(file) ? file : null;
}

/** Ids that paths have to encode, as providers have them. */
const ODD_IDS = [
  'ann/notes and more',
  'ann/notes/md',
  'ann/..hidden',
  'ann//double',
  'ann/%2e%2e',
  'ann/what?',
  'ann/c#',
  'ann/é',
  'ann/漢字',
  '@ann/clock+date',
];
const COUNT = 2_000;

let made: string | undefined;

/** Path of a file of listings, one JSON value a line. The generated ones are the same every time. */
export function listingsFile(): string {
  made ??= dataFile('listings.jsonl') ?? generated();
  return made;
}

function generated(): string {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-listings-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'listings.jsonl');
  const items = syntheticItems(COUNT, madeUpWords(20_000));
  for (const [index, external_id] of ODD_IDS.entries()) Object.assign(items[index] as object, { external_id });
  writeFileSync(file, `${items.map((item) => JSON.stringify(item)).join('\n')}\n`);
  return file;
}
