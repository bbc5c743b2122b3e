import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, foundCards, namedFinds } from './chat-found.ts';

const found = (ref: string, name = ref): Found => ({
  kind: 'listing',
  ref,
  name,
  description: 'About it.',
  listing_type: 'server',
  availability: 'runs',
});

const stepOf = (...finds: Found[]) => [{ found: finds }] as never;

const named = (message: string, ...finds: Found[]): string[] =>
  namedFinds(message, stepOf(...finds), new Set()).map(({ ref }) => ref);

test('the finds that an answer names are shown in its order, whole names only, and not what ran', () => {
  const finds = [found('glama/a/docs'), found('glama/a/docs-2', 'Context7'), found('smithery/map', 'Map')];
  assert.deepEqual(named('1. `glama/a/docs-2`\n2. `glama/a/docs`.', ...finds), ['glama/a/docs-2', 'glama/a/docs']);
  assert.deepEqual(named('Context7 fits, glama/a/docs-3 does not.', ...finds), ['glama/a/docs-2']);
  assert.deepEqual(named('The Map of it', ...finds), [], 'a short name is a word');
  assert.deepEqual(namedFinds('glama/a/docs', stepOf(...finds), new Set(['listing/glama/a/docs'])), []);
});

test('a card opens its page and is used by its reference, if a message can hold that', () => {
  const { html } = foundCards([found('glama/<b>/x'), found('glama/ann/good', 'Good')]) || assert.fail();
  assert.match(html, /href="\/registry\/glama\/ann\/good"/);
  assert.deepEqual(
    [...html.matchAll(/name="message" value="([^"]*)"/g)].map(([, words]) => words),
    ['run glama/ann/good'],
  );
  assert.doesNotMatch(html, /<b>/);
});
