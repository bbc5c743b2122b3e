/** Lists that grow by doubling while a segment is built, and arrays in memory that all threads share. */

export interface IntList {
  data: Int32Array;
  length: number;
}

export const intList = (capacity = 1024): IntList => ({ data: new Int32Array(capacity), length: 0 });

export function pushInt(list: IntList, value: number): void {
  if (list.length === list.data.length) {
    const grown = new Int32Array(list.data.length * 2);
    grown.set(list.data);
    list.data = grown;
  }
  list.data[list.length++] = value;
}

interface ByteList {
  data: Buffer;
  length: number;
}

export const byteList = (capacity = 65_536): ByteList => ({ data: Buffer.allocUnsafeSlow(capacity), length: 0 });

/** Appends the text as UTF-8. */
export function pushText(list: ByteList, text: string): void {
  const most = list.length + text.length * 3;
  if (most > list.data.length) {
    const grown = Buffer.allocUnsafeSlow(Math.max(list.data.length * 2, most));
    list.data.copy(grown, 0, 0, list.length);
    list.data = grown;
  }
  list.length += list.data.write(text, list.length, 'utf8');
}

export const sharedInts = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4));
export const sharedUints = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(length * 4));
export const sharedShorts = (length: number): Uint16Array => new Uint16Array(new SharedArrayBuffer(length * 2));
export const sharedFloats = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));
export const sharedBytes = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

export function shareInts(values: ArrayLike<number>): Int32Array {
  const shared = sharedInts(values.length);
  shared.set(values);
  return shared;
}

export function shareBytes(list: ByteList): Uint8Array {
  const shared = sharedBytes(list.length);
  shared.set(list.data.subarray(0, list.length));
  return shared;
}

/** Turns counts into offsets, in place: afterwards `at[i]..at[i + 1]` is the share of entry i, whose count was at `i + 1`. */
export function sumUp(at: Uint32Array): void {
  for (let i = 0; i + 1 < at.length; i++) at[i + 1] = (at[i + 1] as number) + (at[i] as number);
}

/** A Buffer over the same memory, for what only a Buffer can do. */
export const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
