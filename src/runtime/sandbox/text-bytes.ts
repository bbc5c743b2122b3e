import { isUtf8 } from 'node:buffer';

/**
 * just-bash holds text either as Unicode or, where it came as bytes, with one character a byte, and only sometimes
 * tells which. Bytes that make up UTF-8 are taken as such; a sequence that is begun waits for the rest of it.
 */
interface TextBytes {
  /** `raw`: known to be bytes. */
  take(text: string, raw: boolean): Buffer;
  /** Pending bytes. */
  rest(): Buffer;
}

export function textBytes(): TextBytes {
  let waiting = '';
  return {
    take: (text, raw) => {
      const all = waiting + text;
      const before = waiting;
      waiting = '';
      if (/[^\0-\xff]/.test(all)) return Buffer.from(all);
      const bytes = Buffer.from(all, 'latin1');
      const whole = bytes.length - begunLength(bytes);
      if (isUtf8(bytes.subarray(0, whole))) {
        waiting = all.slice(whole);
        return bytes.subarray(0, whole);
      }
      return raw ? Buffer.concat([Buffer.from(before), Buffer.from(text, 'latin1')]) : Buffer.from(all);
    },
    rest: () => Buffer.from(waiting),
  };
}

/** How many bytes at the end begin a sequence that does not end there; 0 to 3. */
function begunLength(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0;
  }
  return 0;
}
