import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalog } from './parse-catalog.ts';

const refused = (text: string) => assert.throws(() => parseCatalog(text), { code: 'registry.provider_shape' });

test('YAML and JSON are both read, in the order of the document', () => {
  const expected = [
    ['b', { title: 'B' }],
    ['a', null],
  ];
  assert.deepEqual(parseCatalog('version: 3\nregistry:\n  b: {title: B}\n  a:\n'), expected);
  assert.deepEqual(parseCatalog('{"version":3,"registry":{"b":{"title":"B"},"a":null}}'), expected);
});

test('times, merge keys and prototype names stay plain data', () => {
  const [[name, entry] = ['', null]] = parseCatalog(
    'registry:\n  __proto__: {title: x, __proto__: {polluted: true}, dateAdded: 2026-01-01, "<<": {a: 1}}\n',
  );
  assert.equal(name, '__proto__');
  assert.equal((entry as { dateAdded: unknown }).dateAdded, '2026-01-01');
  assert.equal((entry as { a?: unknown }).a, undefined);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('what is no catalogue is refused', () => {
  for (const text of ['', 'just text', 'registry: [a, b]', '<html>Maintenance</html>', 'registry: {a: 1', 'a: b: c'])
    refused(text);
});

test('an alias bomb is refused at once', () => {
  const levels = Array.from({ length: 9 }, (_, at) => {
    const inner = at === 0 ? Array(9).fill('x') : Array(9).fill(`*l${at - 1}`);
    return `l${at}: &l${at} [${inner.join(', ')}]`;
  });
  refused(`${levels.join('\n')}\nregistry: {a: *l8}\n`);
});

test('deep nesting and very many keys neither break nor hold up the process', () => {
  refused(`registry: ${'['.repeat(20_000)}`);
  const started = performance.now();
  const keys = Array.from({ length: 20_000 }, (_, at) => `  k${at}: 1`).join('\n');
  assert.equal(parseCatalog(`registry:\n${keys}\n`).length, 20_000);
  // Comparing every key with every other would take many times as long.
  assert.ok(performance.now() - started < 5_000);
});
