import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** The letters that pictures are written in: Latin, drawn once by `npm run glyphs`. Loaded with the first picture. */

export type Weight = 400 | 650;

interface Glyph {
  advance: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Where its coverage begins, in half bytes. */
  from: number;
}

interface Face {
  glyphs: Map<number, Glyph>;
  pairs: Map<string, number>;
}

interface Letters {
  size: number;
  faces: Map<number, Face>;
  /** Of each pixel four bits. */
  covered: Uint8Array;
}

interface Header {
  size: number;
  faces: {
    weight: number;
    glyphs: [code: number, advance: number, left: number, top: number, width: number, height: number][];
    pairs: Record<string, number>;
  }[];
}

/** Widths are stored in 64ths of a pixel. */
const UNIT = 64;

let opened: Letters | undefined;

export function openLetters(): Letters {
  opened ??= read();
  return opened;
}

function read(): Letters {
  const whole = brotliDecompressSync(readFileSync(new URL('./glyphs.br', import.meta.url)));
  const end = whole.indexOf('\n');
  const header = JSON.parse(whole.toString('utf8', 0, end)) as Header;
  let from = 0;
  const faces = new Map<number, Face>();
  for (const { weight, glyphs, pairs } of header.faces) {
    const all = new Map<number, Glyph>();
    for (const [code, advance, left, top, width, height] of glyphs) {
      all.set(code, { advance: advance / UNIT, left, top, width, height, from });
      from += width * height;
    }
    const gaps = Object.entries(pairs).map(([pair, gap]): [string, number] => [pair, gap / UNIT]);
    faces.set(weight, { glyphs: all, pairs: new Map(gaps) });
  }
  return { size: header.size, faces, covered: whole.subarray(end + 1) };
}

interface Placed {
  glyph: Glyph;
  /** From the beginning of the text. */
  x: number;
}

/** The letters of a line at a size, and its width. Characters without a letter are left out. */
export function lineOf(text: string, size: number, weight: Weight): { placed: Placed[]; width: number } {
  const { size: drawn, faces } = openLetters();
  const { glyphs, pairs } = faces.get(weight) as Face;
  const scale = size / drawn;
  const placed: Placed[] = [];
  let [x, before] = [0, ''];
  for (const character of text) {
    const glyph = glyphs.get(character.codePointAt(0) as number);
    if (glyph === undefined) continue;
    x += (pairs.get(before + character) ?? 0) * scale;
    placed.push({ glyph, x });
    x += glyph.advance * scale;
    before = character;
  }
  return { placed, width: x };
}

/** The text with what can be written of it: null if that is not most of it. */
export function writable(text: string): string | null {
  const { glyphs } = openLetters().faces.get(400) as Face;
  const characters = [...text.normalize('NFC').replace(/\s+/gu, ' ').trim()];
  const known = characters.filter((character) => glyphs.has(character.codePointAt(0) as number));
  const written = known.join('').replace(/ +/g, ' ').trim();
  return written !== '' && known.length * 4 >= characters.length * 3 ? written : null;
}

interface Box {
  size: number;
  weight: Weight;
  width: number;
  lines: number;
}

/** Lines of whole words that fit; the last ends in an ellipsis if something is left. A word that is too long is cut. */
export function wrapped(text: string, { size, weight, width, lines }: Box): string[] {
  const fits = (line: string): boolean => lineOf(line, size, weight).width <= width;
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) line = longer;
    else {
      if (line !== '') done.push(line);
      line = word;
      if (done.length === lines) break;
    }
  }
  if (line !== '') done.push(line);
  const shown = done.slice(0, lines);
  return shown.map((one, at) => shortened(one, at === lines - 1 && done.length > lines, fits));
}

/** Halving finds the longest beginning that fits. */
function shortened(line: string, hasMore: boolean, fits: (line: string) => boolean): string {
  if (!hasMore && fits(line)) return line;
  let [least, most] = [0, line.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(`${line.slice(0, middle).trimEnd()}…`)) least = middle;
    else most = middle - 1;
  }
  return `${line.slice(0, least).toWellFormed().trimEnd()}…`;
}
