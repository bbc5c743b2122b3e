import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';

/** Writes PNG files of 8-bit colours: for icons and pictures that the service draws. */

export interface Pixels {
  width: number;
  height: number;
  /** Three bytes each for red, green and blue; row after row. */
  rgb: Uint8Array;
  /** One byte each; without it, nothing is transparent. */
  alpha?: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
const COLOUR = 2;
const COLOUR_AND_ALPHA = 6;
const UP = 2;

export function encodePng(pixels: Pixels, level = 9): Buffer {
  return fileOf(pixels, deflateSync(rowsOf(pixels), { level }));
}

/** The same for drawings, whose even areas and repeated letters pack best as they are; compressed in another thread. */
export async function encodeDrawing(pixels: Pixels, level = 7): Promise<Buffer> {
  return fileOf(pixels, await promisify(deflate)(plainRows(pixels), { level }));
}

function plainRows({ height, rgb }: Pixels): Buffer {
  const row = rgb.byteLength / height;
  const bytes = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) bytes.set(rgb.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return bytes;
}

const rowsOf = ({ height, rgb, alpha }: Pixels): Buffer =>
  filtered(height, alpha === undefined ? rgb : withAlpha(rgb, alpha));

function fileOf({ width, height, alpha }: Pixels, packed: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, alpha === undefined ? COLOUR : COLOUR_AND_ALPHA], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

function withAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const all = new Uint8Array(alpha.byteLength * 4);
  for (let at = 0; at < alpha.byteLength; at++) {
    all.set(rgb.subarray(at * 3, at * 3 + 3), at * 4);
    all[at * 4 + 3] = alpha[at] as number;
  }
  return all;
}

/** Each row as its difference from the one above: even areas become zeros. */
function filtered(height: number, rows: Uint8Array): Buffer {
  const row = rows.byteLength / height;
  const bytes = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (row + 1);
    const from = y * row;
    bytes[to] = UP;
    for (let x = 0; x < row; x++)
      bytes[to + 1 + x] = (rows[from + x] as number) - (y === 0 ? 0 : (rows[from - row + x] as number));
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
