import { inflateSync } from 'node:zlib';
import type { Pixels } from '../../web/picture/png.ts';

/** Reads the PNG files that Chromium and `encodePng` write: 8-bit colour, with or without transparency, not interlaced. */

const CHANNELS: Record<number, number> = { 2: 3, 6: 4 };

export function readPng(file: Buffer): Pixels {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth, colours, interlaced] = [file[24], file[25] as number, file[28]];
  const channels = CHANNELS[colours];
  if (depth !== 8 || channels === undefined || interlaced !== 0) throw new Error('A kind of PNG that is not read here');
  const parts: Buffer[] = [];
  for (let at = 8; at < file.byteLength; ) {
    const size = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const bytes = inflateSync(Buffer.concat(parts));
  unfilter(bytes, width * channels, height, channels);
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, from = y * (width * channels + 1) + 1; x < width; x++, from += channels) {
      rgb[to++] = bytes[from] as number;
      rgb[to++] = bytes[from + 1] as number;
      rgb[to++] = bytes[from + 2] as number;
    }
  return { width, height, rgb };
}

/** In place: rows keep the byte of their filter in front. */
function unfilter(bytes: Buffer, row: number, height: number, step: number): void {
  const stride = row + 1;
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    const filter = bytes[start - 1];
    for (let x = 0; x < row; x++) {
      const at = start + x;
      const left = x < step ? 0 : (bytes[at - step] as number);
      const up = y === 0 ? 0 : (bytes[at - stride] as number);
      const corner = x < step || y === 0 ? 0 : (bytes[at - stride - step] as number);
      bytes[at] = (bytes[at] as number) + predicted(filter, left, up, corner);
    }
  }
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
