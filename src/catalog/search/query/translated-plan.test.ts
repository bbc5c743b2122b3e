import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { RANKING } from '../ranking.ts';
import { NO_FILTERS } from './filter.ts';
import { searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, marketplaceViewOf } from './marketplace-view.ts';

/** Capabilities of these names, with so many unrelated ones. */
function searchIn(names: readonly string[], unrelated = 60) {
  const builder = capabilityBuilder();
  const all = [...names, ...Array.from({ length: unrelated }, (_, at) => `unrelated-${at}`)];
  all.forEach((name, at) => {
    builder.add(documentFrom(at, { name }));
  });
  const view = marketplaceViewOf(
    { base: builder.finish().segment, deleted: null, delta: null, version: '', is_whole: true },
    null,
  );
  return (text: string, as_typed = false) => {
    const request = { text, as_typed, filters: NO_FILTERS, sort: 'relevance' as const, limit: 50, offset: 0 };
    const found = searchCapabilities(view, request);
    return { names: found.hits.map(({ row }) => capabilityOfHit(view, row).name), plan: found.plan };
  };
}

test('a query in another language finds what its words mean', () => {
  const search = searchIn(['send-email', 'email-reader', 'weather-report', 'gmail-email']);
  assert.deepEqual(search('enviar correos').names.slice(0, 1), ['send-email']);
  assert.deepEqual(search('メールを送信').names.slice(0, 1), ['send-email']);
  assert.deepEqual(search('погода в Москве').names, ['weather-report']);
  assert.deepEqual(search('погода').plan.translated, [{ from: 'погода', to: 'weather' }]);
});

test('a name beside translated words comes first, with what has both', () => {
  const search = searchIn([...Array(10).fill('gmail-tools'), 'email-reader', 'gmail-email']);
  assert.equal(search('correos gmail').names[0], 'gmail-email');
});

test('what is written in the language of the query comes before what is not', () => {
  const search = searchIn(['天气', 'weather']);
  assert.deepEqual(search('天气').names, ['天气', 'weather']);
});

test('a query that matches much, or is searched for as typed, is not translated', () => {
  const search = searchIn([...Array(RANKING.few).fill('correo'), 'email']);
  assert.deepEqual([search('correo').plan.translated, search('correo').names.includes('email')], [[], false]);
  const few = searchIn(['correo', 'email']);
  assert.deepEqual(few('correo', true).names, ['correo']);
  assert.deepEqual(few('correo').names, ['correo', 'email']);
});

test('a foreign word that looks like a misspelled English one is translated, not corrected', () => {
  const search = searchIn([...Array(40).fill('courier-service'), 'email']);
  const { plan, names } = search('courriel');
  assert.deepEqual([plan.corrected, names[0]], [[], 'email']);
});
