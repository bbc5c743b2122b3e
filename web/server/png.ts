import { crc32, deflateSync } from 'node:zlib';

/** Writes PNG files of 8-bit colours: for icons and pictures that the service draws. */

export interface Pixels {
  width: number;
  height: number;
  /** Three bytes each for red, green and blue; row after row. */
  rgb: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bits per channel, and colour without transparency. */
const HEADER_END = [8, 2, 0, 0, 0];
const UP = 2;

export function encodePng({ width, height, rgb }: Pixels, level = 9): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(HEADER_END, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered(width, height, rgb), { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row as its difference from the one above: even areas become zeros. */
function filtered(width: number, height: number, rgb: Uint8Array): Buffer {
  const row = width * 3;
  const bytes = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (row + 1);
    const from = y * row;
    bytes[to] = UP;
    for (let x = 0; x < row; x++)
      bytes[to + 1 + x] = (rgb[from + x] as number) - (y === 0 ? 0 : (rgb[from - row + x] as number));
  }
  return bytes;
}

function chunk(name: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(body.byteLength + 12);
  bytes.writeUInt32BE(body.byteLength, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.byteLength + 8)), body.byteLength + 8);
  return bytes;
}
