import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { vectorStore } from '../index/vectors.ts';
import { dotProducts } from './dot-products.ts';

const byte = fc.integer({ min: -127, max: 127 });
const vectorOf = (dimensions: number) =>
  fc.oneof(
    fc.array(byte, { minLength: dimensions, maxLength: dimensions }),
    // The largest sums that there are.
    fc.constantFrom(-127, 127).map((value) => new Array<number>(dimensions).fill(value)),
  );
const cases = fc
  .constantFrom(1, 6, 16, 48, 100, 256, 4_096)
  .chain((dimensions) =>
    fc.record({ query: vectorOf(dimensions), vectors: fc.array(vectorOf(dimensions), { minLength: 1, maxLength: 6 }) }),
  );

test('dot products are those of whole numbers, by lanes and one by one, over several blocks', () => {
  fc.assert(
    fc.property(cases, fc.constantFrom(0, 1_022), ({ query, vectors }, before) => {
      const store = vectorStore();
      const filler = Int8Array.from(query, () => 1);
      for (let i = 0; i < before; i++) store.add(`before ${i}`, filler);
      vectors.forEach((vector, at) => {
        store.add(`${at}`, Int8Array.from(vector));
      });
      const dots = dotProducts(store.blocks, query.length, Int8Array.from(query));
      const dot = (vector: readonly number[]) =>
        vector.reduce((sum, value, i) => sum + value * (query[i] as number), 0);
      assert.deepEqual([...dots.subarray(before, before + vectors.length)], vectors.map(dot));
    }),
    { numRuns: 60 },
  );
});
