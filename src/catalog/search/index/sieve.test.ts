import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitWords, setBit } from './bitset.ts';
import { dropMembers, keepBoth, keepMembers } from './sieve.ts';

const RANGE = 400;
const rows = fc.uniqueArray(fc.nat(RANGE - 1), { maxLength: 200 }).map((list) => list.sort((a, b) => a - b));

test('sieving by a list, by a set and by what is outside it keeps just what it should, in order', () => {
  fc.assert(
    fc.property(rows, rows, (list, others) => {
      const set = new Int32Array(bitWords(RANGE));
      for (const row of others) setBit(set, row);
      const kept = (sieve: (of: Int32Array) => number): number[] => {
        const copy = Int32Array.from(list);
        return [...copy.subarray(0, sieve(copy))];
      };
      const both = list.filter((row) => others.includes(row));
      assert.deepEqual(
        kept((numbers) => keepBoth(numbers, numbers.length, Int32Array.from(others))),
        both,
      );
      assert.deepEqual(
        kept((numbers) => keepMembers(numbers, numbers.length, set)),
        both,
      );
      assert.deepEqual(
        kept((numbers) => dropMembers(numbers, numbers.length, set)),
        list.filter((row) => !others.includes(row)),
      );
    }),
  );
});
