/**
 * Memory for answers, many to an allocation. Once all of them are released, the block is used again from its start: it is in the
 * processor's cache then, and the garbage collector has nothing to do. An answer that is never released keeps its block until it is
 * collected.
 */
interface BufferPool {
  block: Block;
}

interface Block {
  bytes: Buffer;
  used: number;
  /** Buffers that were handed out and not released. */
  in_use: number;
  release(): void;
}

export interface PooledBuffer {
  /** Its contents are arbitrary. */
  bytes: Buffer;
  /** Call it once, when nobody reads the bytes any more. */
  release(): void;
}

const BLOCK_BYTES = 256 * 1024;

export const bufferPool = (): BufferPool => ({ block: newBlock(0) });

function newBlock(length: number): Block {
  const block: Block = {
    bytes: Buffer.allocUnsafeSlow(length),
    used: 0,
    in_use: 0,
    release: () => {
      if (--block.in_use === 0) block.used = 0;
    },
  };
  return block;
}

export function takeBuffer(pool: BufferPool, length: number): PooledBuffer {
  // A large answer would leave most of a block unused.
  if (length > BLOCK_BYTES / 4) return newBlock(length);
  if (pool.block.used + length > pool.block.bytes.length) pool.block = newBlock(BLOCK_BYTES);
  const block = pool.block;
  block.used += length;
  block.in_use++;
  return { bytes: block.bytes.subarray(block.used - length, block.used), release: block.release };
}
