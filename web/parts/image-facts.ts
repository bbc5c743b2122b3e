/**
 * Recognizes images by their bytes, because their names and declared types are untrusted. SVG is not among them: it can
 * contain scripts. Reads only headers, in linear time.
 */

export interface ImageFacts {
  media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  width: number;
  height: number;
}

/** Larger images would take the memory of the reader's browser: 40 megapixels are 160 MB. */
const MOST_PIXELS = 40_000_000;

/** Null for anything else, for broken headers, and for images that are too large to display. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = ofPng(view) ?? ofGif(view) ?? ofWebp(view) ?? ofJpeg(view);
  if (found === null || found.width < 1 || found.height < 1) return null;
  return found.width * found.height > MOST_PIXELS ? null : found;
}

const startsWith = (view: DataView, text: string, at = 0): boolean =>
  view.byteLength >= at + text.length &&
  [...text].every((letter, place) => view.getUint8(at + place) === letter.charCodeAt(0));

function ofPng(view: DataView): ImageFacts | null {
  if (view.byteLength < 24 || !startsWith(view, '\x89PNG\r\n\x1a\n') || !startsWith(view, 'IHDR', 12)) return null;
  return { media_type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function ofGif(view: DataView): ImageFacts | null {
  if (view.byteLength < 10 || !(startsWith(view, 'GIF87a') || startsWith(view, 'GIF89a'))) return null;
  return { media_type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function ofWebp(view: DataView): ImageFacts | null {
  if (view.byteLength < 30 || !startsWith(view, 'RIFF') || !startsWith(view, 'WEBP', 8)) return null;
  const media_type = 'image/webp';
  if (startsWith(view, 'VP8X', 12)) return { media_type, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (startsWith(view, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { media_type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!startsWith(view, 'VP8 ', 12)) return null;
  return { media_type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** The frame header is after a chain of segments with their lengths. */
function ofJpeg(view: DataView): ImageFacts | null {
  if (!startsWith(view, '\xff\xd8\xff')) return null;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (isFrame(marker))
      return { media_type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2 || marker === 0xda) return null;
    at += 2 + length;
  }
  return null;
}

/** SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
