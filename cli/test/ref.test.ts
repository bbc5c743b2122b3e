import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedRefOf, refOf } from '../src/ref.ts';

test('parses every form of reference that search, show and the guides print', () => {
  const id = '01a209a3-6091-7020-9bcb-1d2d03ca9442';
  const cases: [text: string, kind: string, ref: string][] = [
    [id, 'capability', id],
    ['ada-lang/count', 'capability', 'ada-lang/count'],
    ['smithery/@ann/weather', 'listing', 'smithery/@ann/weather'],
    ['docker/local', 'listing', 'docker/local'],
    ['skill/csv-profile', 'skill', 'csv-profile'],
    ['csv-profile', 'skill', 'csv-profile'],
    [`capstan/${id}`, 'capability', id],
    [`${id}/do/it`, 'connection', `${id}/do/it`],
  ];
  for (const [text, kind, ref] of cases) {
    const found = refOf(text);
    assert.deepEqual([found.kind, found.kind === 'listing' ? `${found.provider}/${found.id}` : found.ref], [kind, ref]);
  }
  assert.throws(() => listedRefOf(`${id}/do`), /is a tool of a connection/);
  for (const text of ['', 'docker/', 'a/b/c', 'Ann/x', '../x'])
    assert.throws(() => refOf(text), /Invalid reference/, text);
});
