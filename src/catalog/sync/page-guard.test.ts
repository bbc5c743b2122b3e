import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageGuard } from './page-guard.ts';

const page = (next: string | null) => ({ records: [], next, total: null, watermark: null });
const loops = { code: 'registry.provider_loops' };

test('a cursor that came before ends the walk, also the one it began with', () => {
  const guard = createPageGuard('a');
  guard.check(page('b'), 10);
  guard.check(page('c'), 10);
  assert.throws(() => guard.check(page('b'), 10), loops);
  assert.throws(() => createPageGuard('a').check(page('a'), 10), loops);
});

test('pages without anything new are borne with for a while, and the end is always fine', () => {
  const guard = createPageGuard(null);
  for (let n = 0; n < 50; n++) guard.check(page(`stale ${n}`), 0);
  guard.check(page('fresh'), 1);
  for (let n = 50; n < 100; n++) guard.check(page(`stale ${n}`), 0);
  guard.check(page(null), 0);
  assert.throws(() => guard.check(page('one too many'), 0), loops);
});

test('no walk is endless', () => {
  const guard = createPageGuard(null);
  const walk = () => {
    for (let n = 0; n < 30_000; n++) guard.check(page(`${n}`), 1);
  };
  assert.throws(walk, loops);
});
