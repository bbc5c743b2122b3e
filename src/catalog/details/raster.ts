import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/**
 * Checks and shortens untrusted images without drawing them: the formats, their sizes, and for PNG that the data has exactly the pixels
 * that the header declares. Metadata is removed, because it may be compressed and of any size.
 */

export const MAX_ICON_BYTES = 65_536;
/** Of each side, in pixels. */
const MOST_PIXELS = 1_024;
const LEAST_PIXELS = 8;

export interface Raster {
  media_type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Null for anything else than a sound PNG, JPEG or WebP image of at most 1,024 by 1,024 pixels and 64 KB. */
export async function rasterOf(bytes: Uint8Array): Promise<Raster | null> {
  if (bytes.length > MAX_ICON_BYTES || bytes.length < 16) return null;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = mediaTypeOf(data);
  const found =
    type === 'image/png' ? await png(data) : type === 'image/jpeg' ? jpeg(data) : type === null ? null : webp(data);
  return found === null || !isShown(found.width) || !isShown(found.height) ? null : found;
}

const isShown = (pixels: number): boolean => pixels >= LEAST_PIXELS && pixels <= MOST_PIXELS;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** By the first bytes. */
export function mediaTypeOf(bytes: Uint8Array): Raster['media_type'] | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (data.subarray(0, 8).equals(PNG)) return 'image/png';
  if (data[0] === 0xff && data[1] === 0xd8 && data[2] === 0xff) return 'image/jpeg';
  return data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : null;
}

/** Of PNG chunks that change what is seen. Colour profiles and texts are compressed, so they are removed. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'sRGB', 'gAMA']);
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

async function png(data: Buffer): Promise<Raster | null> {
  const kept: Buffer[] = [PNG];
  const pixels: Buffer[] = [];
  let header: Buffer | null = null;
  let isWhole = false;
  for (let at = 8; at + 12 <= data.length && !isWhole; ) {
    const length = data.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > data.length) return null;
    const type = data.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (header === null) || (type === 'IHDR' && length !== 13)) return null;
    if (type === 'IHDR') header = data.subarray(at + 8, at + 21);
    if (type === 'IDAT') pixels.push(data.subarray(at + 8, at + 8 + length));
    if (KEPT.has(type)) kept.push(data.subarray(at, end));
    isWhole = type === 'IEND';
    at = end;
  }
  if (header === null || !isWhole) return null;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, , , interlace = 0] = header.subarray(8);
  const bits = depth * (CHANNELS[colour] ?? 0);
  if (!isShown(width) || !isShown(height) || bits === 0 || bits > 64 || interlace !== 0) return null;
  const expected = height * (1 + Math.ceil((width * bits) / 8));
  return (await inflatesTo(Buffer.concat(pixels), expected))
    ? { media_type: 'image/png', width, height, bytes: Buffer.concat(kept) }
    : null;
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** In a thread of the system. Stops at the limit, so that a small file cannot take more memory than it declares. */
async function inflatesTo(packed: Buffer, length: number): Promise<boolean> {
  try {
    return (await unpack(packed, { maxOutputLength: length })).length === length;
  } catch {
    return false;
  }
}

/** A progressive image with more parts takes long to draw. */
const MOST_SCANS = 16;
const isFrame = (marker: number): boolean => marker === 0xc0 || marker === 0xc1 || marker === 0xc2;
/** JFIF and Adobe say how colours are meant; the others are metadata. */
const isMetadata = (marker: number): boolean =>
  marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee);

function jpeg(data: Buffer): Raster | null {
  const kept: Buffer[] = [data.subarray(0, 2)];
  const frames: Buffer[] = [];
  let scans = 0;
  for (let at = 2; at + 4 <= data.length; ) {
    const marker = data[at + 1] ?? 0;
    if (marker === 0xd9) break;
    const segment = segmentAt(data, at);
    if (segment === null) return null;
    if (isFrame(marker)) frames.push(segment);
    if (!isMetadata(marker)) kept.push(segment);
    at += segment.length;
    if (marker !== 0xda) continue;
    scans += 1;
    const next = afterScan(data, at);
    if (scans > MOST_SCANS || next === -1) return null;
    kept.push(data.subarray(at, next));
    at = next;
  }
  const [frame] = frames;
  if (frame === undefined || frames.length > 1 || frame.length < 9 || scans === 0) return null;
  const size = { height: frame.readUInt16BE(5), width: frame.readUInt16BE(7) };
  return { media_type: 'image/jpeg', ...size, bytes: Buffer.concat([...kept, Buffer.from([0xff, 0xd9])]) };
}

/** With its marker; null if there is none, or if it is not whole. */
function segmentAt(data: Buffer, at: number): Buffer | null {
  const marker = data[at + 1] ?? 0;
  if (data[at] !== 0xff || marker === 0xff || marker < 0xc0) return null;
  const end = at + 2 + data.readUInt16BE(at + 2);
  return end > data.length || end < at + 4 ? null : data.subarray(at, end);
}

/** Where the next marker is; -1 if the data ends before it. Markers within a scan, and stuffed bytes, are skipped. */
function afterScan(data: Buffer, from: number): number {
  for (let at = data.indexOf(0xff, from); at !== -1 && at + 1 < data.length; at = data.indexOf(0xff, at + 1)) {
    const marker = data[at + 1] ?? 0;
    if (marker !== 0 && !(marker >= 0xd0 && marker <= 0xd7)) return at;
  }
  return -1;
}

/** Still images without metadata only, because others hold further chunks of any kind. */
function webp(data: Buffer): Raster | null {
  const type = data.toString('latin1', 12, 16);
  const length = data.length >= 30 ? data.readUInt32LE(16) : 0;
  if (data.readUInt32LE(4) + 8 !== data.length || 20 + length + (length % 2) !== data.length) return null;
  if (type === 'VP8 ' && data.toString('hex', 23, 26) === '9d012a')
    return of(data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff);
  if (type !== 'VP8L' || data[20] !== 0x2f) return null;
  const bits = data.readUInt32LE(21);
  return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);

  function of(width: number, height: number): Raster {
    return { media_type: 'image/webp', width, height, bytes: data };
  }
}
