import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATEGORIES, type Category, categoryOf } from './categories.ts';
import { directionOfWords } from './term-vectors.ts';
import { tokenize } from './tokenize.ts';

const of = (text: string): Category | null => categoryOf(directionOfWords(tokenize(text)));

test('texts of different trades have their category, in words that no category names, and others have none', () => {
  assert.equal(of('Track calorie and protein intake, and log weight'), 'health');
  assert.equal(of('Swap stablecoins on an EVM chain'), 'crypto');
  assert.equal(of('SCRAPE webpages, and extract structured data'), 'search');
  assert.equal(of('Supabase tables and migrations'), 'databases');
  assert.equal(of('Airport transfers and airline tickets'), 'travel');
  assert.equal(of('an MCP server for AI assistants'), null);
  assert.equal(of(''), null);
  assert.equal(of('qqqqzzzz'), null);
});

test('there are few enough to choose from', () => {
  assert.ok(CATEGORIES.length <= 24);
});
