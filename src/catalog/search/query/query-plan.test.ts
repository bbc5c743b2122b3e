import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { indexViewOf } from './marketplace-view.ts';
import { planOf } from './query-plan.ts';

/** So many of each description, and others beside them. */
function vocabularyOf(counts: Record<string, number>) {
  const builder = capabilityBuilder();
  const texts = Object.entries({ ...counts, unrelated: 200 }).flatMap(([text, count]) => Array(count).fill(text));
  texts.forEach((description, at) => {
    builder.add(documentFrom(at, { description }));
  });
  return indexViewOf({ base: builder.finish().segment, dead: null, delta: null, version: '', is_whole: true }, null)
    .vocabulary;
}

const slipsIn = (query: string, counts: Record<string, number>) =>
  planOf(query, vocabularyOf(counts)).corrected.map(({ from, to }) => `${from} ${to}`);

test('a word is taken for a slip where its neighbour belongs to what another slip was meant to be, and it does not', () => {
  const weather = { 'weather forecast': 8, 'ask whether': 3 };
  const both = ['whether weather', 'forcast forecast'];
  assert.deepEqual(slipsIn('whether forcast', weather), both);
  assert.deepEqual(slipsIn('whether forecast', weather), [], 'nobody has slipped');
  assert.deepEqual(slipsIn('whether forcast', { ...weather, 'whether forecast': 1 }), ['forcast forecast']);
  // Together no oftener than any two words would be.
  const everywhere = { ...weather, 'weather report': 150, 'forecast report': 150 };
  assert.deepEqual(slipsIn('whether forcast', everywhere), ['forcast forecast']);
  assert.deepEqual(slipsIn('whether forcast', { ...weather, 'weather forecast': 4 }), ['forcast forecast'], 'too few');
});
