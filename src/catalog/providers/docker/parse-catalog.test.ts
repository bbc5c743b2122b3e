import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalog } from './parse-catalog.ts';

const SHAPE = { code: 'registry.provider_failed' };

test('a catalog in YAML or JSON is read in document order', async () => {
  const expected = [
    ['b', { title: 'B' }],
    ['a', null],
  ];
  assert.deepEqual(await parseCatalog('version: 3\nregistry:\n  b: {title: B}\n  a:\n'), expected);
  assert.deepEqual(await parseCatalog('{"version":3,"registry":{"b":{"title":"B"},"a":null}}'), expected);
});

test('times, merge keys and prototype names are read as plain data', async () => {
  const [[name, entry] = ['', null]] = await parseCatalog(
    'registry:\n  __proto__: {title: x, __proto__: {polluted: true}, dateAdded: 2026-01-01, "<<": {a: 1}}\n',
  );
  assert.equal(name, '__proto__');
  assert.equal((entry as { dateAdded: unknown }).dateAdded, '2026-01-01');
  assert.equal((entry as { a?: unknown }).a, undefined);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a repeated key has its last value, and merge keys are ignored', async () => {
  const text = 'base: &base {a: 1}\nregistry:\n  x: {title: first}\n  x: {title: last, <<: *base}\n';
  assert.deepEqual(await parseCatalog(text), [['x', { title: 'last', '<<': { a: 1 } }]]);
});

test('documents without a map of the registry are rejected', async () => {
  const texts = ['', 'registry: [a, b]', '<html>Maintenance</html>', 'registry: {a: 1', 'a: b: c', '{"registry":'];
  await Promise.all(texts.map((text) => assert.rejects(parseCatalog(text), SHAPE, text)));
});

test('an alias bomb and deep nesting are rejected', async () => {
  const levels = Array.from({ length: 9 }, (_, at) => {
    const inner = at === 0 ? Array(9).fill('x') : Array(9).fill(`*l${at - 1}`);
    return `l${at}: &l${at} [${inner.join(', ')}]`;
  });
  await assert.rejects(parseCatalog(`${levels.join('\n')}\nregistry: {a: *l8}\n`), SHAPE);
  await assert.rejects(parseCatalog(`registry: ${'['.repeat(20_000)}`), SHAPE);
});

test('parsing stops at its timeout, and requests are served meanwhile', async () => {
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  const keys = Array.from({ length: 200_000 }, (_, at) => `  k${at}: {a: 1}`).join('\n');
  await assert.rejects(parseCatalog(`registry:\n${keys}\n`, { timeout_ms: 300, memory_mb: 512 }), SHAPE);
  clearInterval(turning);
  assert.ok(turns > 5, `the event loop turned ${turns} times`);
});
