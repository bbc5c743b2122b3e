import { sharedInts } from './arrays.ts';

/** Vectors of capabilities and of their tools in shared memory, by slot. Slots are only added, so a reader never sees one change. */
export interface Vectors extends Slots {
  dimensions: number;
  blocks: readonly VectorBlock[];
  /** Of the tools of the same segments. */
  tools: Slots;
}

/** The slot of each row; -1 for a row without a vector. */
interface Slots {
  base: Int32Array;
  delta: Int32Array | null;
}

export interface VectorBlock {
  /** `BLOCK` vectors of signed bytes, one after another. */
  vectors: Int8Array;
  /** 1 / the length of each. */
  inverses: Float32Array;
}

/** How many capabilities and tools have a vector, and the shared memory of all. */
export function vectorFacts({ blocks, tools, ...capabilities }: Vectors): VectorFacts {
  const bytes = blocks.reduce((sum, { vectors, inverses }) => sum + vectors.byteLength + inverses.byteLength, 0);
  const slots = [capabilities, tools].flatMap(({ base, delta }) => [base, delta ?? NO_SLOTS]);
  return {
    count: countIn(capabilities),
    tools: countIn(tools),
    bytes: slots.reduce((sum, { byteLength }) => sum + byteLength, bytes),
  };
}

interface VectorFacts {
  count: number;
  tools: number;
  bytes: number;
}

const NO_SLOTS = new Int32Array(0);

function countIn({ base, delta }: Slots): number {
  let count = 0;
  for (const slots of [base, delta ?? NO_SLOTS]) for (const slot of slots) if (slot >= 0) count++;
  return count;
}

/** What the vector of a tool is stored by. No id of a capability has the line end. */
export const toolKeyOf = (capabilityId: string, tool: string): string => `${capabilityId}\n${tool}`;

/** The id of the capability that a vector is of, or of whose tool it is. */
export function capabilityOfKey(key: string): string {
  const end = key.indexOf('\n');
  return end === -1 ? key : key.slice(0, end);
}

export const BLOCK = 1_024;

/** Vectors while they are collected. The first one decides how many dimensions all have. */
interface VectorStore {
  /** Replaces an earlier vector of the key. Another number of dimensions is ignored. */
  add(key: string, vector: Int8Array): void;
  /** Keys with a vector. */
  readonly count: number;
  readonly dimensions: number;
  readonly blocks: readonly VectorBlock[];
  /** The slots of rows, by their keys. */
  slotsOf(count: number, rows: Iterable<readonly [key: string, row: number]>): Int32Array;
  /** Whether much of the memory holds vectors that were replaced or whose capability is gone. */
  isSparse(live: number): boolean;
  /** A store with the vectors of these keys. */
  keeping(isLive: (key: string) => boolean): VectorStore;
}

export function vectorStore(): VectorStore {
  const slots = new Map<string, number>();
  const blocks: VectorBlock[] = [];
  let dimensions = 0;
  let used = 0;
  const store: VectorStore = {
    add(key, vector) {
      if (dimensions === 0) dimensions = vector.length;
      if (vector.length !== dimensions) return;
      if (used === blocks.length * BLOCK) blocks.push(newBlock(dimensions));
      const { vectors, inverses } = blocks[blocks.length - 1] as VectorBlock;
      const at = used % BLOCK;
      vectors.set(vector, at * dimensions);
      inverses[at] = 1 / lengthOf(vector);
      slots.set(key, used++);
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
      for (const [key, row] of rows) found[row] = slots.get(key) ?? -1;
      return found;
    },
    isSparse: (live) => used > BLOCK && used > live * 1.5,
    keeping(isLive) {
      const kept = vectorStore();
      for (const [key, slot] of slots) {
        const { vectors } = blocks[Math.floor(slot / BLOCK)] as VectorBlock;
        const from = (slot % BLOCK) * dimensions;
        if (isLive(key)) kept.add(key, vectors.subarray(from, from + dimensions));
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
