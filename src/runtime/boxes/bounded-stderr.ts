import { PassThrough, type Readable } from 'node:stream';

export const STDERR_BYTES = 1_048_576;

/** How much is dropped before the next pause. It limits what a flood costs the service to 20 MiB a second. */
const DROPPED_BYTES = 1_048_576;
const PAUSE_MS = 50;

/**
 * The first `limit_bytes` of a stream, kept until they are read. The rest is read and dropped, with pauses: a program that writes
 * without end would otherwise keep the service busy.
 */
export function boundedStderr(source: Readable, limit_bytes = STDERR_BYTES): PassThrough {
  const kept = new PassThrough({ highWaterMark: limit_bytes });
  let left = limit_bytes;
  let dropped = 0;
  function drop(bytes: number): void {
    dropped += bytes;
    if (dropped < DROPPED_BYTES) return;
    dropped = 0;
    source.pause();
    setTimeout(() => source.resume(), PAUSE_MS);
  }
  source.on('data', (chunk: Buffer) => {
    if (left === 0 || kept.destroyed) return drop(chunk.length);
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
