import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { anyText } from '#test/any-text.ts';
import { type Name, readName } from './read-name.ts';

const ID = '01a209a3-6091-7020-9bcb-1d2d03ca9442';

test('reads every form of name that lists and searches print', () => {
  const cases = {
    [ID]: { form: 'id', id: ID },
    [`capstan/${ID}`]: { form: 'id', id: ID },
    [`${ID}/do/it`]: { form: 'tool', id: ID, tool: 'do/it' },
    'skill/json-diff': { form: 'skill', name: 'json-diff' },
    'smithery/@ann/tides': { form: 'listing', provider: 'smithery', external_id: '@ann/tides' },
    'ada-lang/count': { form: 'published', publisher: 'ada-lang', name: 'count' },
    'json-diff': { form: 'word', word: 'json-diff' },
  };
  for (const [text, name] of Object.entries(cases)) assert.deepEqual(readName(text), name, text);
});

test('null: empty parts, and more than 1,000 characters', () => {
  for (const text of ['', '/', 'docker/', '/x', 'a'.repeat(1_001), `docker/${'/'.repeat(10_000)}`])
    assert.equal(readName(text), null, text.slice(0, 20));
});

/** A name as lists, searches and pages print it. */
function written(name: Name): string {
  switch (name.form) {
    case 'id':
      return name.id;
    case 'tool':
      return `${name.id}/${name.tool}`;
    case 'skill':
      return `skill/${name.name}`;
    case 'listing':
      return `${name.provider}/${name.external_id}`;
    case 'published':
      return `${name.publisher}/${name.name}`;
    case 'word':
      return name.word;
  }
}

test('any text is read without an error, and what was read is read again from its written form', () => {
  const beginnings = fc.constantFrom('', ID, 'skill', 'capstan', 'ada', ...PROVIDERS);
  const named = fc.tuple(beginnings, anyText({ maxLength: 300 })).map(([first, rest]) => `${first}/${rest}`);
  fc.assert(
    fc.property(fc.oneof(anyText({ maxLength: 1_100 }), named), (text) => {
      const name = readName(text);
      if (name !== null) assert.deepEqual(readName(written(name)), name);
    }),
  );
});
