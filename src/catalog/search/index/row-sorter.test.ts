import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addBelow, addBetween, rowSorter, sortRanks, takeBetween } from './row-sorter.ts';

const RANGE = 3000;
const numbers = fc.array(fc.nat(RANGE - 1), { maxLength: 80 });
const sorted = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);

test('the sorter returns rows in order without duplicates for any range, and is empty afterwards', () => {
  const sorter = rowSorter(RANGE);
  fc.assert(
    fc.property(numbers, numbers, fc.nat(80), fc.nat(80), (first, second, a, b) => {
      const expected = sorted([...first, ...second]);
      const list = Int32Array.from([...first, ...second]);
      const added = addBetween(sorter, list, 0, first.length) + addBetween(sorter, list, first.length, list.length);
      assert.equal(added, expected.length);
      const [from, to] = sorted([Math.min(a, added), Math.min(b, added)]) as [number, number?];
      assert.deepEqual(
        [...takeBetween(sorter, from, to ?? from, new Int32Array((to ?? from) - from))],
        expected.slice(from, to ?? from),
      );
      assert.deepEqual([...sorter.bits, ...sorter.nonempty].filter(Boolean), []);
    }),
  );
});

test('the sorter accepts ranks below a limit first, and the others later', () => {
  const sorter = rowSorter(RANGE);
  const rank = Int32Array.from({ length: RANGE }, (_, i) => RANGE - 1 - i);
  fc.assert(
    fc.property(numbers, fc.nat(RANGE), (list, limit) => {
      const all = Int32Array.from(list);
      const expected = sorted(list.map((row) => rank[row] as number));
      const below = addBelow(sorter, all, all.length, rank, limit);
      assert.equal(below, expected.filter((value) => value < limit).length);
      const rest = addBelow(sorter, all, all.length, rank, RANGE);
      assert.deepEqual([...takeBetween(sorter, 0, below + rest, new Int32Array(below + rest))], expected);
    }),
  );
});

test('the sorter sorts many ranks at once, and is empty afterwards', () => {
  const sorter = rowSorter(RANGE);
  const rank = Int32Array.from({ length: RANGE }, (_, i) => RANGE - 1 - i);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(RANGE - 1)), fc.nat(80), fc.nat(80), (list, from, length) => {
      const expected = sorted(list.map((row) => rank[row] as number)).slice(from, from + length);
      const taken = new Int32Array(expected.length);
      assert.deepEqual([...sortRanks(sorter, Int32Array.from(list), list.length, rank, from, taken)], expected);
      assert.deepEqual([...sorter.bits].filter(Boolean), []);
    }),
  );
});
