import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitWords, setBit } from '../index/bitset.ts';
import { mostStopBytes, noStops, walkRanks } from './rank-walk.ts';

const COUNT = 2_000;
/** Coprime with COUNT, so a permutation. */
const order = Int32Array.from({ length: COUNT }, (_, rank) => (rank * 1_201) % COUNT);

test('pages of any place come out right whatever pages were asked before, and the stops stay within their bound', () => {
  const share = fc.integer({ min: 1, max: 20 });
  const places = fc.array(fc.tuple(fc.nat(COUNT), fc.nat(60)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(share, places, (every, asked) => {
      const set = new Int32Array(bitWords(COUNT));
      for (let row = 0; row < COUNT; row += every) setBit(set, row);
      const expected = [...order.keys()].filter((rank) => (order[rank] as number) % every === 0);
      const stops = noStops();
      for (const [from, length] of asked) {
        const page = expected.slice(from, from + length);
        if (page.length === 0) continue;
        assert.deepEqual([...walkRanks(set, order, stops, from, new Int32Array(page.length))], page);
      }
      assert.ok((stops.length - 1) * 8 * 3 <= mostStopBytes(expected.length));
    }),
  );
});
