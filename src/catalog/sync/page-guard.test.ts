import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageGuard } from './page-guard.ts';

const page = (next: string | null) => ({ records: [], next, total: null, watermark: null });
const loops = { code: 'registry.provider_failed' };

test('a repeated cursor stops the run, also if it repeats the first one', () => {
  const guard = createPageGuard('a');
  guard.check(page('b'), 10);
  guard.check(page('c'), 10);
  assert.throws(() => guard.check(page('b'), 10), loops);
  assert.throws(() => createPageGuard('a').check(page('a'), 10), loops);
});

test('a hundred pages without new listings are tolerated, and one more stops the run', () => {
  const guard = createPageGuard(null);
  for (let n = 0; n < 50; n++) guard.check(page(`stale ${n}`), 0);
  guard.check(page('fresh'), 1);
  for (let n = 50; n < 100; n++) guard.check(page(`stale ${n}`), 0);
  guard.check(page(null), 0);
  assert.throws(() => guard.check(page('one too many'), 0), loops);
});

test('a run stops when it reaches the limit of pages', () => {
  const guard = createPageGuard(null);
  const walk = () => {
    for (let n = 0; n < 30_000; n++) guard.check(page(`${n}`), 1);
  };
  assert.throws(walk, loops);
});
