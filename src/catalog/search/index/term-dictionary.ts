/** Looks a text up among texts that lie one after another in byte order; `at[i]..at[i + 1]` is the share of the i-th. */

/** The first that does not stand before the wanted one. */
export function firstNotBefore(bytes: Uint8Array, at: Uint32Array, wanted: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (text.compare(wanted, 0, wanted.length, at[middle], at[middle + 1]) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** -1 where it is not among them. */
export function textAt(bytes: Uint8Array, at: Uint32Array, wanted: Uint8Array): number {
  const place = firstNotBefore(bytes, at, wanted);
  const [from, to] = [at[place], at[place + 1]];
  if (from === undefined || to === undefined) return -1;
  return Buffer.compare(bytes.subarray(from, to), wanted) === 0 ? place : -1;
}
