import { bufferOver } from './arrays.ts';

/**
 * A dictionary of terms: their UTF-8 one after another, in byte order. Term i is `bytes[at[i]]` to before `bytes[at[i + 1]]`. A segment
 * has several, so they are passed as two arrays.
 */

/** The term's number; -1 if it is not in the dictionary. */
export function findTerm(bytes: Uint8Array, at: Uint32Array, term: string): number {
  const wanted = Buffer.from(term);
  const number = firstNotBefore(bytes, at, wanted);
  const [from, to] = [at[number], at[number + 1]];
  if (from === undefined || to === undefined) return -1;
  return Buffer.compare(bytes.subarray(from, to), wanted) === 0 ? number : -1;
}

/** The numbers of the terms that start with `start`: from the first to before the second. */
export function prefixRange(bytes: Uint8Array, at: Uint32Array, start: string): [from: number, to: number] {
  const first = Buffer.from(start);
  // UTF-8 never has the byte 0xff, so this sorts after every term with the prefix.
  const last = Buffer.concat([first, Buffer.of(0xff)]);
  return [firstNotBefore(bytes, at, first), firstNotBefore(bytes, at, last)];
}

export const termText = (bytes: Uint8Array, at: Uint32Array, number: number): string =>
  bufferOver(bytes).toString('utf8', at[number], at[number + 1]);

function firstNotBefore(bytes: Uint8Array, at: Uint32Array, wanted: Uint8Array): number {
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(bytes, at[middle] as number, at[middle + 1] as number, wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the term from `from` to before `to` comes before another. Most differ early, and calling Buffer's comparison takes longer. */
function isBefore(bytes: Uint8Array, from: number, to: number, wanted: Uint8Array): boolean {
  const common = Math.min(to - from, wanted.length);
  for (let i = 0; i < common; i++) {
    const [byte, other] = [bytes[from + i] as number, wanted[i] as number];
    if (byte !== other) return byte < other;
  }
  return to - from < wanted.length;
}
