import { PassThrough, type Readable } from 'node:stream';

export const STDERR_BYTES = 1_048_576;

/** The first `limit_bytes` of a stream, kept until they are read. The rest is read and dropped. */
export function boundedStderr(source: Readable, limit_bytes = STDERR_BYTES): PassThrough {
  const kept = new PassThrough({ highWaterMark: limit_bytes });
  let left = limit_bytes;
  source.on('data', (chunk: Buffer) => {
    if (left === 0 || kept.destroyed) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    kept.write(part);
    if (left === 0) kept.end(`\n[standard error was cut after ${limit_bytes} bytes]\n`);
  });
  source.once('close', () => kept.end());
  source.on('error', () => {});
  kept.on('error', () => {});
  return kept;
}
