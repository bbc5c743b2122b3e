import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  consistencySteps,
  EMPTY_ROOT,
  type Hash,
  inclusionSteps,
  isConsistent,
  joinRight,
  leafHash,
  nodeHash,
  type ProofStep,
  rootFromInclusion,
  wholeSubtrees,
} from './merkle.ts';

/** The recursive definition of RFC 9162, as a reference. */
function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0] as Hash;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const leavesOf = (count: number): Hash[] =>
  Array.from({ length: count }, (_, at) => leafHash(Buffer.from(`entry ${at}`)));
const hashesOf = (steps: readonly ProofStep[], leaves: readonly Hash[]): Hash[] =>
  steps.map((nodes) =>
    joinRight(
      nodes.map(({ level, position }) => rootOf(leaves.slice(position * 2 ** level, (position + 1) * 2 ** level))),
    ),
  );

test('the root of an empty tree is the SHA-256 of nothing', () => {
  assert.equal(EMPTY_ROOT.toString('hex'), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('the root computed from whole subtrees equals the root by definition', () => {
  for (let size = 1; size < 70; size++) {
    const leaves = leavesOf(size);
    assert.deepEqual(hashesOf([wholeSubtrees(0, size)], leaves), [rootOf(leaves)]);
  }
});

test('each inclusion proof verifies only for its own leaf, index and size', () => {
  for (let size = 1; size <= 33; size++) {
    const leaves = leavesOf(size);
    const root = rootOf(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const proof = hashesOf(inclusionSteps(index, size), leaves);
      assert.deepEqual(rootFromInclusion(leaf, index, size, proof), root);
      for (let other = 0; other < size; other++)
        if (other !== index) assert.notDeepEqual(rootFromInclusion(leaf, other, size, proof), root);
      assert.equal(rootFromInclusion(leaf, index, size, [...proof, root]), null);
      if (proof.length > 0) assert.equal(rootFromInclusion(leaf, index, size, proof.slice(1)), null);
    }
  }
});

test('each consistency proof verifies only with the correct roots', () => {
  for (let newer = 1; newer <= 33; newer++) {
    const leaves = leavesOf(newer);
    for (let older = 1; older <= newer; older++) {
      const from = { size: older, root: rootOf(leaves.slice(0, older)) };
      const to = { size: newer, root: rootOf(leaves) };
      const proof = older === newer ? [] : hashesOf(consistencySteps(older, newer), leaves);
      assert.ok(isConsistent(from, to, proof), `${older} in ${newer}`);
      assert.ok(!isConsistent({ ...from, root: leafHash(Buffer.from('forged')) }, to, proof));
      assert.ok(!isConsistent(from, { ...to, root: leafHash(Buffer.from('forged')) }, proof));
    }
  }
});

test('an inclusion proof with one flipped bit gives another root', () => {
  const sizes = fc.integer({ min: 2, max: 3_000 });
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), fc.nat(), (size, at, step, bit) => {
      const index = at % size;
      const proof = inclusionSteps(index, size).map((nodes) => leafHash(Buffer.from(JSON.stringify(nodes))));
      const leaf = leafHash(Buffer.from('leaf'));
      const root = rootFromInclusion(leaf, index, size, proof) as Hash;
      const turned = proof.map((hash) => Buffer.from(hash));
      const hash = turned[step % turned.length] as Buffer;
      hash[(bit >> 3) % 32] = (hash[(bit >> 3) % 32] as number) ^ (1 << (bit & 7));
      assert.notDeepEqual(rootFromInclusion(leaf, index, size, turned), root);
    }),
  );
});
