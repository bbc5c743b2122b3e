import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitsOf } from './bitset.ts';
import { dropMembers, keepCommon, keepMembers } from './sorted-rows.ts';

const RANGE = 400;
const rows = fc.uniqueArray(fc.nat(RANGE - 1), { maxLength: 200 }).map((list) => list.sort((a, b) => a - b));

test('a list filtered by another list or by a set has exactly the right rows, in order', () => {
  fc.assert(
    fc.property(rows, rows, (list, others) => {
      const set = bitsOf(others, RANGE);
      const filtered = (filter: (copy: Int32Array) => number): number[] => {
        const copy = Int32Array.from(list);
        return [...copy.subarray(0, filter(copy))];
      };
      const common = list.filter((row) => others.includes(row));
      assert.deepEqual(
        filtered((copy) => keepCommon(copy, copy.length, Int32Array.from(others))),
        common,
      );
      assert.deepEqual(
        filtered((copy) => keepMembers(copy, copy.length, set)),
        common,
      );
      assert.deepEqual(
        filtered((copy) => dropMembers(copy, copy.length, set)),
        list.filter((row) => !others.includes(row)),
      );
    }),
  );
});
