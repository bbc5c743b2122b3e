import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { areFacts, MAX_FACTS_CHARS, MAX_README_CHARS } from '#catalog/items/facts.ts';
import { anyText } from '#test/any-text.ts';
import { factsOf } from './adapt-facts.ts';
import type { PickedFacts } from './picked-facts.ts';

test('nothing reported gives no facts', () => {
  assert.deepEqual(factsOf({ title: ' ', icons: null, versions: [], meta: {}, readme: '' }), {
    facts: null,
    readme: '',
  });
});

test('icons: https or a small image as a data URL', () => {
  const small = `data:image/png;base64,${'A'.repeat(8_000)}`;
  const srcs = [
    ...[
      'http://a.example/i.png',
      'javascript:alert(1)',
      'data:text/html;base64,AAAA',
      `data:image/png;base64,${'A'.repeat(9_000)}`,
    ],
    ...['https://user@a.example/i.png', 7, small, 'https://a.example/i.svg'],
  ];
  const icons = srcs.map((src) => ({ src, mimeType: 'text/html', sizes: ['48x48', 'huge', 7], theme: 'pink' }));
  assert.deepEqual(factsOf({ icons }).facts, {
    icons: [
      { src: small, sizes: ['48x48'] },
      { src: 'https://a.example/i.svg', sizes: ['48x48'] },
    ],
  });
  assert.deepEqual(factsOf({ icons: 'https://a.example/i.svg' }).facts, {
    icons: [{ src: 'https://a.example/i.svg' }],
  });
});

test('tools: arguments become a JSON Schema', () => {
  const tools = [
    {
      name: 'look',
      description: 'Looks',
      arguments: [{ name: 'at', type: 'string', desc: 'Where', optional: true }, { name: 'n' }],
    },
  ];
  const input_schema = {
    type: 'object',
    properties: { at: { type: 'string', description: 'Where' }, n: {} },
    required: ['n'],
  };
  assert.deepEqual(factsOf({ tools }).facts, {
    tools: [{ name: 'look', title: '', description: 'Looks', input_schema }],
  });
});

test('readme: a text is shortened and named by its digest, an address is kept', () => {
  const { facts, readme } = factsOf({ readme: 'x'.repeat(MAX_README_CHARS + 5) });
  assert.equal(readme.length, MAX_README_CHARS);
  assert.match(facts?.readme?.digest ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual(factsOf({ readme: 'https://a.example/README.md' }), {
    facts: { readme: { url: 'https://a.example/README.md' } },
    readme: '',
  });
});

test('what is too large is cut or dropped, and the rest stays', () => {
  const big = (n: number) => ({
    name: `t${n}`,
    description: 'd'.repeat(900),
    inputSchema: { type: 'object', d: 'x'.repeat(2_000) },
  });
  const { facts } = factsOf({
    title: 'Kept',
    meta: { large: 'm'.repeat(20_000) },
    tools: Array.from({ length: 300 }, (_, n) => big(n)),
  });
  assert.equal(facts?.title, 'Kept');
  assert.equal(facts?.meta, undefined);
  assert.ok((facts?.tools?.length ?? 0) > 10 && JSON.stringify(facts).length <= MAX_FACTS_CHARS);
});

test('any values give facts that import accepts', () => {
  const value = fc.oneof(anyText(), fc.jsonValue(), fc.double());
  const picked = fc.record({
    title: value,
    schema: value,
    icons: value,
    meta: value,
    published_at: value,
    tools: value,
    readme: value,
    repository: fc.record({ source: value, id: value, subfolder: value }),
    status: fc.record({ status: value, message: value, changed_at: value }),
    versions: fc.array(fc.record({ version: value, published_at: value, changes: value })),
  });
  fc.assert(
    fc.property(picked, (random) => areFacts(factsOf(random as PickedFacts).facts ?? {})),
    { seed: 20260906, numRuns: 200 },
  );
});
