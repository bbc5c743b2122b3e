import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pageLinks } from './page-links.ts';

function links(limit: number, offset: number, total_count: number) {
  const { link = '' } = pageLinks('/p', { limit, offset, total_count }, 'q=1');
  const to = (rel: string) => new RegExp(`</p\\?q=1&offset=(\\d+)>; rel="${rel}"`).exec(link)?.[1];
  return { next: to('next'), prev: to('prev') };
}

test('the first, middle, last and only page have the right next and prev links', () => {
  assert.deepEqual(links(10, 0, 25), { next: '10', prev: undefined });
  assert.deepEqual(links(10, 10, 25), { next: '20', prev: '0' });
  assert.deepEqual(links(10, 20, 25), { next: undefined, prev: '10' });
  assert.deepEqual(links(10, 0, 10), { next: undefined, prev: undefined });
});

test('beyond the end, prev leads to the last non-empty page', () => {
  assert.deepEqual(links(10, 900, 25), { next: undefined, prev: '20' });
  assert.deepEqual(links(10, 900, 0), { next: undefined, prev: '0' });
});

test('following next from the start returns every item once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(2_000), (limit, total) => {
      let met = 0;
      for (let at: string | undefined = '0'; at !== undefined; at = links(limit, Number(at), total).next)
        met += Math.max(0, Math.min(limit, total - Number(at)));
      assert.equal(met, total);
    }),
  );
});
