import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitsOf } from '../index/bitset.ts';
import { quantized, vectorFrom, vectorStore, vectorText } from '../index/vectors.ts';
import { type NearestHits, nearestRows } from './nearest-rows.ts';

const DIMENSIONS = 6;
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((values) => values.some((value) => value !== 0));
const cases = fc.record({
  base: fc.array(fc.option(vector), { maxLength: 30 }),
  delta: fc.array(fc.option(vector), { maxLength: 6 }),
  deleted: fc.uniqueArray(fc.nat(29)),
  query: vector,
  most: fc.integer({ min: 1, max: 8 }),
});

function cosine(a: Int8Array, b: Int8Array): number {
  const sum = (x: Int8Array, y: Int8Array) => x.reduce((all, value, i) => all + value * (y[i] as number), 0);
  return sum(a, b) / Math.sqrt(sum(a, a) * sum(b, b));
}

test('the nearest are those of a comparison with every vector that is not deleted', () => {
  fc.assert(
    fc.property(cases, ({ base, delta, deleted, query, most }) => {
      const store = vectorStore();
      const bytesOf = (values: number[]): Int8Array => vectorFrom(vectorText(quantized(Float32Array.from(values))));
      const rows = (list: (number[] | null)[], name: string) => list.map((_, row) => [`${name}${row}`, row] as const);
      // An earlier vector of a row is replaced.
      for (const [i, values] of base.entries()) if (values !== null) store.add(`b${i}`, bytesOf(values.toReversed()));
      for (const [i, values] of base.entries()) if (values !== null) store.add(`b${i}`, bytesOf(values));
      for (const [i, values] of delta.entries()) if (values !== null) store.add(`d${i}`, bytesOf(values));
      const asked = bytesOf(query);
      const bits = bitsOf(
        deleted.filter((row) => row < base.length),
        base.length,
      );
      const found = (from: typeof store) =>
        nearestRows({
          dimensions: DIMENSIONS,
          blocks: from.blocks,
          kinds: [
            [],
            [
              { slots: from.slotsOf(base.length, rows(base, 'b')), deleted: bits },
              { slots: from.slotsOf(delta.length, rows(delta, 'd')), deleted: null },
            ],
          ],
          query: asked,
          most,
        })[1] as NearestHits;
      const all = [
        ...base.flatMap((values, row) => (values === null || deleted.includes(row) ? [] : [{ hit: row, values }])),
        ...delta.flatMap((values, row) => (values === null ? [] : [{ hit: -1 - row, values }])),
      ].map(({ hit, values }) => ({ hit, similarity: Math.fround(cosine(bytesOf(values), asked)) }));
      const { hits, similarities } = found(store);
      assert.equal(hits.length, Math.min(most, all.length));
      const best = all.map(({ similarity }) => similarity).sort((a, b) => b - a);
      similarities.forEach((similarity, at) => {
        assert.ok(Math.abs(similarity - (best[at] as number)) < 1e-6);
        const own = all.find(({ hit }) => hit === hits[at]);
        assert.ok(own !== undefined && Math.abs(own.similarity - similarity) < 1e-6);
      });
      assert.equal(new Set(hits).size, hits.length);
      assert.deepEqual(found(store.keeping(() => true)), { hits, similarities }, 'the same after it was made smaller');
    }),
    { numRuns: 200 },
  );
});

test('a store ignores vectors of other dimensions, and knows when much of it was replaced', () => {
  const store = vectorStore();
  store.add('a', Int8Array.of(1, 2));
  store.add('b', Int8Array.of(1, 2, 3));
  assert.deepEqual(
    [
      store.count,
      store.dimensions,
      [
        ...store.slotsOf(2, [
          ['a', 0],
          ['b', 1],
        ]),
      ],
    ],
    [1, 2, [0, -1]],
  );
  for (let i = 0; i < 3_000; i++) store.add('a', Int8Array.of(1, i % 100));
  assert.deepEqual([store.isSparse(1), store.isSparse(2_500)], [true, false]);
  const smaller = store.keeping((id) => id === 'a');
  assert.deepEqual([smaller.count, smaller.isSparse(1), store.keeping(() => false).count], [1, false, 0]);
});
