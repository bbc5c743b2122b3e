/** Memory from which answers are cut: one allocation for many. It is freed when the last of its answers is. */
export interface Slab {
  memory: Buffer;
  used: number;
}

const SLAB_BYTES = 256 * 1024;

export const newSlab = (): Slab => ({ memory: Buffer.alloc(0), used: 0 });

/** Contents are arbitrary. */
export function cut(slab: Slab, bytes: number): Buffer {
  // A large answer would leave most of a slab unused.
  if (bytes > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(bytes);
  if (slab.used + bytes > slab.memory.length) {
    slab.memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
    slab.used = 0;
  }
  slab.used += bytes;
  return slab.memory.subarray(slab.used - bytes, slab.used);
}
