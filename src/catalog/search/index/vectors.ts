import { sharedInts } from './arrays.ts';

/** Vectors of capabilities in shared memory, by slot. Slots are only added, so a reader never sees one change. */
export interface Vectors {
  dimensions: number;
  blocks: readonly VectorBlock[];
  /** The slot of each row; -1 for a row without a vector. */
  base: Int32Array;
  delta: Int32Array | null;
}

export interface VectorBlock {
  /** `BLOCK` vectors of signed bytes, one after another. */
  vectors: Int8Array;
  /** 1 / the length of each. */
  inverses: Float32Array;
}

/** How many capabilities have a vector, and the shared memory of all. */
export function vectorFacts({ blocks, base, delta }: Vectors): { count: number; bytes: number } {
  let count = 0;
  for (const slots of [base, delta ?? NO_SLOTS]) for (const slot of slots) if (slot >= 0) count++;
  const bytes = blocks.reduce((sum, { vectors, inverses }) => sum + vectors.byteLength + inverses.byteLength, 0);
  return { count, bytes: bytes + base.byteLength + (delta?.byteLength ?? 0) };
}

const NO_SLOTS = new Int32Array(0);

export const BLOCK = 1_024;

/** Vectors while they are collected. The first one decides how many dimensions all have. */
interface VectorStore {
  /** Replaces an earlier vector of the id. Another number of dimensions is ignored. */
  add(id: string, vector: Int8Array): void;
  /** Ids with a vector. */
  readonly count: number;
  readonly dimensions: number;
  readonly blocks: readonly VectorBlock[];
  /** The slots of rows, by their ids. */
  slotsOf(count: number, rows: Iterable<readonly [id: string, row: number]>): Int32Array;
  /** Whether much of the memory holds vectors that were replaced or whose capability is gone. */
  isSparse(live: number): boolean;
  /** A store with the vectors of these ids. */
  keeping(isLive: (id: string) => boolean): VectorStore;
}

export function vectorStore(): VectorStore {
  const slots = new Map<string, number>();
  const blocks: VectorBlock[] = [];
  let dimensions = 0;
  let used = 0;
  const store: VectorStore = {
    add(id, vector) {
      if (dimensions === 0) dimensions = vector.length;
      if (vector.length !== dimensions) return;
      if (used === blocks.length * BLOCK) blocks.push(newBlock(dimensions));
      const { vectors, inverses } = blocks[blocks.length - 1] as VectorBlock;
      const at = used % BLOCK;
      vectors.set(vector, at * dimensions);
      inverses[at] = 1 / lengthOf(vector);
      slots.set(id, used++);
    },
    get count() {
      return slots.size;
    },
    get dimensions() {
      return dimensions;
    },
    get blocks() {
      // A copy, because a view keeps the blocks that it was made with.
      return [...blocks];
    },
    slotsOf(count, rows) {
      const found = sharedInts(count).fill(-1);
      for (const [id, row] of rows) found[row] = slots.get(id) ?? -1;
      return found;
    },
    isSparse: (live) => used > BLOCK && used > live * 1.5,
    keeping(isLive) {
      const kept = vectorStore();
      for (const [id, slot] of slots) {
        const { vectors } = blocks[Math.floor(slot / BLOCK)] as VectorBlock;
        const from = (slot % BLOCK) * dimensions;
        if (isLive(id)) kept.add(id, vectors.subarray(from, from + dimensions));
      }
      return kept;
    },
  };
  return store;
}

const newBlock = (dimensions: number): VectorBlock => ({
  vectors: new Int8Array(new SharedArrayBuffer(BLOCK * dimensions)),
  inverses: new Float32Array(new SharedArrayBuffer(BLOCK * 4)),
});

export function lengthOf(vector: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) ** 2;
  return Math.sqrt(sum);
}

/** Signed bytes in the direction of the vector: the largest number becomes 127. */
export function quantized(vector: Float32Array): Int8Array {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  return Int8Array.from(vector, (value) => Math.round((value / most) * 127));
}

/** As it is stored in the database. */
export const vectorText = ({ buffer, byteOffset, byteLength }: Int8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

export function vectorFrom(text: string): Int8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Int8Array(buffer, byteOffset, byteLength);
}
