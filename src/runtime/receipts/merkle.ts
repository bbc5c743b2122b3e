import { createHash } from 'node:crypto';

/** RFC 9162 Merkle trees over SHA-256: the pure arithmetic of roots and proofs. */

export type Hash = Buffer;

function sha256(...parts: Uint8Array[]): Hash {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
export const EMPTY_ROOT: Hash = sha256();

export const leafHash = (entry: Uint8Array): Hash => sha256(LEAF, entry);
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right);

/** A whole subtree: the root of the leaves from `position × 2^level` on, `2^level` of them. */
export interface NodeAt {
  level: number;
  position: number;
}

/** The whole subtrees, from left to right, that make up the leaves `begin` to `end` where `begin` starts one as large. */
export function wholeSubtrees(begin: number, end: number): NodeAt[] {
  const nodes: NodeAt[] = [];
  for (let at = begin; at < end; ) {
    const level = Math.min(trailingZeros(at), log2Floor(end - at));
    nodes.push({ level, position: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

const log2Floor = (n: number): number => Math.floor(Math.log2(n));
function trailingZeros(n: number): number {
  if (n === 0) return 52;
  let count = 0;
  for (let rest = n; rest % 2 === 0; rest /= 2) count++;
  return count;
}

/** The root over whole subtrees given from left to right. */
export const joinRight = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));

/** A hash of a proof: the root of the leaves from `begin` to `end`, as the whole subtrees it is made of. */
export type ProofStep = NodeAt[];

/** Largest power of two smaller than `n`. */
const splitOf = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1);

/** The hashes for the inclusion proof of one leaf in the tree of `size` leaves; nearest first. */
export function inclusionSteps(index: number, size: number): ProofStep[] {
  const steps: ProofStep[] = [];
  for (let begin = 0, end = size; end - begin > 1; ) {
    const split = begin + splitOf(end - begin);
    steps.push(index < split ? wholeSubtrees(split, end) : wholeSubtrees(begin, split));
    if (index < split) end = split;
    else begin = split;
  }
  return steps.reverse();
}

/** The hashes for the proof that the tree of `older` leaves is the beginning of the one of `newer`. */
export function consistencySteps(older: number, newer: number): ProofStep[] {
  const steps: ProofStep[] = [];
  let whole = true;
  let begin = 0;
  let end = newer;
  let rest = older;
  while (rest !== end - begin) {
    const split = splitOf(end - begin);
    if (rest <= split) {
      steps.push(wholeSubtrees(begin + split, end));
      end = begin + split;
    } else {
      steps.push(wholeSubtrees(begin, begin + split));
      begin += split;
      rest -= split;
      whole = false;
    }
  }
  if (!whole) steps.push(wholeSubtrees(begin, end));
  return steps.reverse();
}

/** The root that an inclusion proof leads to; null where its length cannot be right. */
export function rootFromInclusion(leaf: Hash, index: number, size: number, proof: readonly Hash[]): Hash | null {
  if (index >= size) return null;
  let at = index;
  let last = size - 1;
  let root = leaf;
  for (const hash of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(hash, root);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else root = nodeHash(root, hash);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? root : null;
}

interface Tree {
  size: number;
  root: Hash;
}

/** Whether `older` is the beginning of `newer`, by RFC 9162 section 2.1.4.2. */
export function isConsistent(older: Tree, newer: Tree, proof: readonly Hash[]): boolean {
  if (older.size === 0) return proof.length === 0;
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  const steps = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : [...proof];
  let at = older.size - 1;
  let last = newer.size - 1;
  while (at % 2 === 1) {
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  const [first, ...rest] = steps;
  if (first === undefined) return false;
  let oldRoot = first;
  let newRoot = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldRoot = nodeHash(hash, oldRoot);
      newRoot = nodeHash(hash, newRoot);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else newRoot = nodeHash(newRoot, hash);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && oldRoot.equals(older.root) && newRoot.equals(newer.root);
}

/** The tree as it grows by whole entries, from the first on. */
export function treeBuilder() {
  const stack: (NodeAt & { hash: Hash })[] = [];
  let size = 0;
  return {
    size: () => size,
    root: (): Hash => joinRight(stack.map(({ hash }) => hash)),
    add: (entry: Uint8Array): void => {
      let node = { level: 0, position: size++, hash: leafHash(entry) };
      for (let left = stack.at(-1); left?.level === node.level; left = stack.at(-1)) {
        stack.pop();
        node = { level: node.level + 1, position: (node.position - 1) / 2, hash: nodeHash(left.hash, node.hash) };
      }
      stack.push(node);
    },
  };
}
