import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFinder } from './find-page.ts';

const find = pageFinder([
  ['/docs/errors', 'errors'],
  ['/docs/{guide}', 'guide'],
  ['/registry/{provider}/{id*}', 'listing'],
]);

test('parameters are decoded once; a starred one takes slashes, written either way', () => {
  assert.deepEqual(find('/registry/docker/a/b%2Fc%2520'), {
    page: 'listing',
    params: { provider: 'docker', id: 'a/b/c%20' },
  });
  assert.deepEqual(find('/docs/first-rig'), { page: 'guide', params: { guide: 'first-rig' } });
});

test('the first that fits; no page where none does or a part is no text', () => {
  assert.equal(find('/docs/errors')?.page, 'errors');
  for (const path of ['/docs/', '/docs/a/b', '/registry/docker', '/docs/%ff', '/', ''])
    assert.equal(find(path), null, path);
});
