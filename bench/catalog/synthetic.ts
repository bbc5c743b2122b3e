import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '#catalog/items/item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { oneOf, type Random, seeded } from './random.ts';

/** A made-up catalog of any size: words as frequent, and fields as long, as in a real one. */

const TAGS = 400;

/** Words as they follow each other in running text, frequent ones often: those of CAPSTAN_TEST_DATA, else made up. */
export function runningWords(): string[] {
  const folder = process.env.CAPSTAN_TEST_DATA;
  if (folder === undefined) return madeUpWords(500_000);
  const lines = readFileSync(join(folder, 'listings.jsonl'), 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => (JSON.parse(line) as Item).description.split(/\s+/u).filter(Boolean));
}

/** Zipf's law over words made of syllables. */
export function madeUpWords(count: number): string[] {
  const random = seeded(11);
  const syllables = Array.from(
    { length: 120 },
    () =>
      oneOf(random, [...'bcdfghklmnprstvw']) + oneOf(random, [...'aeiou']) + oneOf(random, ['', 'n', 'r', 's', 't']),
  );
  const vocabulary = Array.from({ length: 40_000 }, (_, i) =>
    Array.from({ length: 1 + (i > 50 ? 1 : 0) + random(3) }, () => oneOf(random, syllables)).join(''),
  );
  return Array.from({ length: count }, () => {
    const rank = Math.floor(vocabulary.length ** ((random(1_000_000) + 1) / 1_000_001)) - 1;
    return vocabulary[rank] as string;
  });
}

export function syntheticItems(count: number, words: readonly string[]): Item[] {
  const random = seeded(3);
  return Array.from({ length: count }, (_, number) => syntheticItem(number, random, words));
}

/** Downloads and stars are mostly small, a few very large. */
const skewed = (random: Random): number => (random(3) === 0 ? 0 : Math.floor(1.5 ** random(32)) + random(10));

const SPREAD = [0, 0, 0, 0, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 5, 5, 6, 7];

function syntheticItem(number: number, random: Random, words: readonly string[]): Item {
  const provider_id = PROVIDERS[oneOf(random, SPREAD)] as (typeof PROVIDERS)[number];
  const text = (length: number): string =>
    Array.from({ length }, () => (random(33) === 0 ? `x${random(2 ** 31).toString(36)}` : oneOf(random, words))).join(
      ' ',
    );
  const name = text(1 + random(3));
  const author = `author${random(20_000)}`;
  return {
    name,
    description: text(4 + random(28)),
    version: `${random(3)}.${random(12)}.${random(30)}`,
    author,
    homepage: random(2) === 0 ? '' : `https://${author}.example/${number}`,
    downloads: skewed(random),
    stars: skewed(random),
    tags: Array.from({ length: random(3) }, () => `tag${Math.floor(TAGS ** (random(1000) / 1000))}`),
    source: provider_id,
    listing_type: random(4) === 0 ? oneOf(random, LISTING_TYPES) : number % 2 === 0 ? 'skill' : 'server',
    external_id: `${author}/${number}`,
    provider_id,
    external_updated_at: random(4) === 0 ? null : new Date(1_700_000_000_000 + random(60_000_000) * 1000).toISOString(),
    execution_class: oneOf(random, EXECUTION_CLASSES),
  };
}
