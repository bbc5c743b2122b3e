import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { termsWithin } from './edit-distance.ts';
import { textBuilder } from './text-index.ts';

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('é', '天', 'a', 'ж'), minLength: 1, maxLength: 5 }),
);

test('termsWithin() finds exactly the terms that a full table of distances gives', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, fc.constantFrom(1, 2), (terms, wanted, most) => {
      const builder = textBuilder();
      builder.add(terms.map((term) => ({ term, value: 1, fields: 1 })));
      const index = builder.finish(Int32Array.of(0));
      const sorted = terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const found = termsWithin(index, wanted, most).map(({ number, distance }) => [sorted[number], distance]);
      const expected = terms
        .map((term): [string, number] => [term, distanceOf(wanted, term)])
        .filter(([, distance]) => distance > 0 && distance <= most);
      assert.deepEqual(new Map(found as [string, number][]), new Map(expected));
    }),
    { numRuns: 200 },
  );
});

/** Optimal string alignment of UTF-16 code units, by the definition. */
function distanceOf(a: string, b: string): number {
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    table.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const at = (x: number, y: number): number => table[x]?.[y] ?? Number.POSITIVE_INFINITY;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const other = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      (table[i] as number[]).push(i === 0 ? j : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, other, swapped));
    }
  }
  return table[a.length]?.[b.length] as number;
}
