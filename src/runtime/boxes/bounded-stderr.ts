import { PassThrough, type Readable } from 'node:stream';

export const STDERR_BYTES = 1_048_576;

/** How much is dropped before the next pause. */
const DROPPED_BYTES = 1_048_576;
/** Pauses double while a flood continues. Reading 1 MiB takes a millisecond of the event loop, so a flood gets a thousandth of it. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_600;
/** A program that wrote no more than is dropped for so long begins with the first pause again. */
const FLOOD_ENDS_MS = 10_000;

/**
 * The first `limit_bytes` of a stream, kept until they are read. The rest is read and dropped, with pauses: a program that writes
 * without end would otherwise keep the service busy.
 */
export function boundedStderr(source: Readable, limit_bytes = STDERR_BYTES): PassThrough {
  const kept = new PassThrough({ highWaterMark: limit_bytes });
  let left = limit_bytes;
  let dropped = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let resumedAtMs = performance.now();
  function drop(bytes: number): void {
    dropped += bytes;
    if (dropped < DROPPED_BYTES) return;
    dropped = 0;
    if (performance.now() - resumedAtMs > FLOOD_ENDS_MS) pauseMs = FIRST_PAUSE_MS;
    source.pause();
    setTimeout(resume, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  function resume(): void {
    resumedAtMs = performance.now();
    source.resume();
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
