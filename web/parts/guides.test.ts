import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { GUIDES } from './guides.ts';

test('every guide is listed exactly once', () => {
  const there = readdirSync(new URL('../../docs/guides/', import.meta.url)).filter((name) => name.endsWith('.md'));
  const placed = GUIDES.flatMap(({ names }) => names).map((name) => `${name}.md`);
  assert.deepEqual(placed.toSorted(), there.toSorted());
});
