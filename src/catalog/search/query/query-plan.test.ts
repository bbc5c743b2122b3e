import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { marketplaceViewOf } from './marketplace-view.ts';
import { planOf } from './query-plan.ts';

/** Of an index with this many capabilities of each description, and 200 unrelated ones. */
function vocabularyOf(counts: Record<string, number>) {
  const builder = capabilityBuilder();
  const texts = Object.entries({ ...counts, unrelated: 200 }).flatMap(([text, count]) => Array(count).fill(text));
  texts.forEach((description, at) => {
    builder.add(documentFrom(at, { description }));
  });
  return marketplaceViewOf(
    { base: builder.finish().segment, deleted: null, delta: null, version: '', is_whole: true },
    null,
  ).vocabulary;
}

const correctionsIn = (query: string, counts: Record<string, number>) =>
  planOf(query, vocabularyOf(counts)).corrected.map(({ from, to }) => `${from} ${to}`);

test('a correctly spelled word is replaced only if the similar word often occurs with a corrected one', () => {
  const weather = { 'weather forecast': 8, 'ask whether': 3 };
  const both = ['whether weather', 'forcast forecast'];
  assert.deepEqual(correctionsIn('whether forcast', weather), both);
  assert.deepEqual(correctionsIn('whether forecast', weather), [], 'no word is misspelled');
  assert.deepEqual(correctionsIn('whether forcast', { ...weather, 'whether forecast': 1 }), ['forcast forecast']);
  // They occur together no more often than by chance.
  const everywhere = { ...weather, 'weather report': 150, 'forecast report': 150 };
  assert.deepEqual(correctionsIn('whether forcast', everywhere), ['forcast forecast']);
  assert.deepEqual(
    correctionsIn('whether forcast', { ...weather, 'weather forecast': 4 }),
    ['forcast forecast'],
    'too few',
  );
});
