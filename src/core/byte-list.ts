const BLOCK_BYTES = 65_536;

/**
 * Collects bytes in blocks. Storing each chunk as it comes would cost one object per byte for a script that writes
 * single bytes.
 */
export interface ByteList {
  push(bytes: Uint8Array): void;
  toString(): string;
}

export function byteList(): ByteList {
  const full: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const push = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) {
      if (used === block.length) {
        full.push(block);
        block = Buffer.allocUnsafe(BLOCK_BYTES);
        used = 0;
      }
      const piece = bytes.subarray(at, at + block.length - used);
      block.set(piece, used);
      used += piece.length;
      at += piece.length;
    }
  };
  return { push, toString: () => Buffer.concat([...full, block.subarray(0, used)]).toString('utf8') };
}
