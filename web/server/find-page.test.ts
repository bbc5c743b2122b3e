import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFinder } from './find-page.ts';

const find = pageFinder([
  ['/docs/errors', 'errors'],
  ['/docs/{guide}', 'guide'],
  ['/registry/{provider}/{id*}', 'listing'],
]);

test('parameters are decoded once, and a starred one matches slashes, plain or encoded', () => {
  assert.deepEqual(find('/registry/docker/a/b%2Fc%2520'), {
    page: 'listing',
    params: { provider: 'docker', id: 'a/b/c%20' },
  });
  assert.deepEqual(find('/docs/first-rig'), { page: 'guide', params: { guide: 'first-rig' } });
});

test('the first matching page wins, and an invalid encoding matches none', () => {
  assert.equal(find('/docs/errors')?.page, 'errors');
  for (const path of ['/docs/', '/docs/a/b', '/registry/docker', '/docs/%ff', '/', ''])
    assert.equal(find(path), null, path);
});
