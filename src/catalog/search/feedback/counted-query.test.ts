import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedQuery } from './counted-query.ts';

test('searches with the same words are counted together', () => {
  assert.equal(countedQuery('  GitHub – Issues! '), 'github issues');
  assert.equal(countedQuery('github issues'), 'github issues');
  assert.equal(countedQuery('convert 2026 csv to json'), 'convert 2026 csv to json');
});

test('texts that may name or authenticate a person are not counted', () => {
  const personal = [
    'mail from ann.smith@example.org',
    'call +49 (30) 123-45 67',
    'token=swordfish',
    `sk-${'a1'.repeat(12)}`,
    `key ${'0f'.repeat(20)}`,
    'x'.repeat(201),
  ];
  for (const text of [...personal, '', '?!', '\ud800']) assert.equal(countedQuery(text), null, text);
});
