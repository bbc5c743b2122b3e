import { lineOf, openLetters, type Weight } from './letters.ts';
import type { Pixels } from './png.ts';

/** A picture that shapes and text are drawn on. */

export type Colour = readonly [red: number, green: number, blue: number];

export const colourOf = (hex: string): Colour =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour;

export interface Canvas extends Pixels {
  rgb: Uint8Array;
}

export function openCanvas(width: number, height: number, ground: Colour): Canvas {
  const rgb = new Uint8Array(width * height * 3);
  rgb.set(ground);
  // Doubles what is filled.
  for (let filled = 3; filled < rgb.byteLength; filled *= 2)
    rgb.copyWithin(filled, 0, Math.min(filled, rgb.byteLength - filled));
  return { width, height, rgb };
}

/** `share` of the colour, from 0 to 1. Nothing outside of the picture. */
export function blend({ width, height, rgb }: Canvas, x: number, y: number, colour: Colour, share: number): void {
  if (share <= 0 || x < 0 || y < 0 || x >= width || y >= height) return;
  const at = (y * width + x) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const below = rgb[at + channel] as number;
    rgb[at + channel] = Math.round(below + ((colour[channel] as number) - below) * share);
  }
}

export interface Text {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  size: number;
  weight: Weight;
  colour: Colour;
}

/** Answers where the text ends. */
export function write(canvas: Canvas, { text, x, y, size, weight, colour }: Text): number {
  const { size: drawn, covered } = openLetters();
  const step = drawn / size;
  const { placed, width } = lineOf(text, size, weight);
  for (const { glyph, x: offset } of placed) {
    const [left, top] = [x + offset + glyph.left / step, y + glyph.top / step];
    const [firstX, firstY] = [Math.floor(left), Math.floor(top)];
    for (let py = firstY; py < top + glyph.height / step; py++)
      for (let px = firstX; px < left + glyph.width / step; px++)
        blend(canvas, px, py, colour, share(covered, glyph, (px - left) * step, (py - top) * step, step));
  }
  return x + width;
}

interface Covered {
  width: number;
  height: number;
  from: number;
}

/** The mean coverage of a square of the letter. */
function share(covered: Uint8Array, { width, height, from }: Covered, x: number, y: number, side: number): number {
  const [right, bottom] = [Math.min(width, x + side), Math.min(height, y + side)];
  let sum = 0;
  for (let row = Math.max(0, Math.floor(y)); row < bottom; row++) {
    const high = Math.min(bottom, row + 1) - Math.max(y, row);
    for (let column = Math.max(0, Math.floor(x)); column < right; column++) {
      const at = from + row * width + column;
      const byte = covered[at >> 1] as number;
      const value = at % 2 === 0 ? byte >> 4 : byte & 15;
      sum += value * high * (Math.min(right, column + 1) - Math.max(x, column));
    }
  }
  return sum / (15 * side * side);
}

/** Fills a square with rounded corners. `colourAt` gives the color of each pixel. */
export function fillRound(
  canvas: Canvas,
  { x, y, side, radius }: { x: number; y: number; side: number; radius: number },
  colourAt: (x: number, y: number) => Colour,
): void {
  const middle = side / 2;
  const inner = middle - radius;
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const dx = Math.max(0, Math.abs(column + 0.5 - middle) - inner);
      const dy = Math.max(0, Math.abs(row + 0.5 - middle) - inner);
      const within = Math.max(0, Math.min(1, radius - Math.hypot(dx, dy) + 0.5));
      blend(canvas, x + column, y + row, colourAt(column, row), within);
    }
}
