import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { marketplaceViewOf } from './marketplace-view.ts';
import { planOf, typedPlanOf } from './query-plan.ts';

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

test('a word is corrected to one that sounds the same before one that looks more similar', () => {
  const counts = { 'phone calls': 40, 'fine tuning': 40, 'font files': 40, 'flight prices': 20, 'flute music': 30 };
  assert.deepEqual(correctionsIn('fone', counts), ['fone phone']);
  assert.deepEqual(correctionsIn('flite', counts), ['flite flight']);
});

test('an English word that nothing has is not corrected', () => {
  const counts = { 'kit for speakers': 60, 'speaker settings': 60 };
  assert.deepEqual(correctionsIn('knit a sweater', counts), []);
  assert.deepEqual(correctionsIn('spaeker', counts), ['spaeker speaker']);
});

test('a corrected word has the forms and synonyms of the correct one', () => {
  const vocabulary = vocabularyOf({ 'kubernetes clusters': 40, 'k8s pods': 10, 'cluster nodes': 20 });
  const [kubernetes, cluster] = planOf('kubernets clustr', vocabulary).groups;
  assert.equal(kubernetes?.term, 'kubernetes');
  assert.ok(kubernetes?.expansions.some(({ terms, kind }) => terms[0] === 'k8s' && kind === 'synonym'));
  assert.ok(cluster?.expansions.some(({ terms }) => terms[0] === 'clusters'));
});

test('a text as typed is not corrected', () => {
  const plan = typedPlanOf('kubrnetes', vocabularyOf({ 'kubernetes clusters': 40 }));
  assert.deepEqual([plan.corrected, plan.unmatched], [[], ['kubrnetes']]);
});

test('a short word and its plural are forms of each other, with the same synonyms, and `not` is no form of `note`', () => {
  const vocabulary = vocabularyOf({ 'note taking': 10, 'many notes': 10, 'not that': 10, 'strava rides': 10 });
  const formsOf = (query: string) =>
    planOf(query, vocabulary).groups[0]?.expansions.flatMap(({ terms, kind }) => (kind === 'form' ? terms : []));
  assert.deepEqual(formsOf('notes'), ['note']);
  assert.deepEqual(formsOf('note'), ['notes']);
  const synonymsOf = (query: string) =>
    planOf(query, vocabulary).groups[0]?.expansions.flatMap(({ terms, kind }) => (kind === 'synonym' ? terms : []));
  assert.deepEqual([synonymsOf('bikes'), synonymsOf('bike')], [['strava'], ['strava']]);
});
