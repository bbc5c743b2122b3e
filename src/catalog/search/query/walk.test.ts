import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitWords, setBit } from '../index/bitset.ts';
import { walkRanks } from './list.ts';
import { mostCheckpointBytes, noCheckpoints } from './row-set.ts';

const COUNT = 2_000;
/** A permutation, because the factor and COUNT are coprime. */
const order = Int32Array.from({ length: COUNT }, (_, rank) => (rank * 1_201) % COUNT);

test('a page is the same whatever pages were read before, and checkpoints stay within their limit', () => {
  const share = fc.integer({ min: 1, max: 20 });
  const pages = fc.array(fc.tuple(fc.nat(COUNT), fc.nat(60)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(share, pages, (every, requests) => {
      const set = new Int32Array(bitWords(COUNT));
      for (let row = 0; row < COUNT; row += every) setBit(set, row);
      const expected = [...order.keys()].filter((rank) => (order[rank] as number) % every === 0);
      const checkpoints = noCheckpoints();
      for (const [from, length] of requests) {
        const page = expected.slice(from, from + length);
        if (page.length === 0) continue;
        assert.deepEqual([...walkRanks(set, order, checkpoints, from, new Int32Array(page.length))], page);
      }
      assert.ok((checkpoints.length - 1) * 8 * 3 <= mostCheckpointBytes(expected.length));
    }),
  );
});
