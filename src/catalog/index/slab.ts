/**
 * Memory from which answers are cut, one allocation for many. Once all of them were given back it is used again from its
 * start: it is in the processor's cache then, and nothing is left for the garbage collector. An answer that is not given
 * back keeps its memory until it is collected.
 */
export interface Slab {
  current: Memory;
}

interface Memory {
  bytes: Buffer;
  used: number;
  /** Cut and not given back. */
  out: number;
  giveBack(): void;
}

export interface Cut {
  /** Contents are arbitrary. */
  bytes: Buffer;
  /** To be called once, when nobody will read the bytes any more. */
  giveBack(): void;
}

const SLAB_BYTES = 256 * 1024;

export const newSlab = (): Slab => ({ current: newMemory(0) });

function newMemory(length: number): Memory {
  const memory: Memory = {
    bytes: Buffer.allocUnsafeSlow(length),
    used: 0,
    out: 0,
    giveBack: () => {
      if (--memory.out === 0) memory.used = 0;
    },
  };
  return memory;
}

export function cut(slab: Slab, length: number): Cut {
  // A large answer would leave most of a slab unused.
  if (length > SLAB_BYTES / 4) return newMemory(length);
  if (slab.current.used + length > slab.current.bytes.length) slab.current = newMemory(SLAB_BYTES);
  const memory = slab.current;
  memory.used += length;
  memory.out++;
  return { bytes: memory.bytes.subarray(memory.used - length, memory.used), giveBack: memory.giveBack };
}
