import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium } from 'playwright-core';

/**
 * `npm run glyphs` draws the letters of the pictures of listings from the text font, in Chromium, and stores how much of each pixel
 * they cover. The service draws text with them without a font engine.
 */

const WEIGHTS = [400, 650];
const SIZE = 64;
/** Pixels around a letter that may reach over its advance. */
const PAD = 32;
const SIGNS = '–—‘’“”„…•·€™';
const ROOT = new URL('../', import.meta.url);

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
const LETTERS = [...new Set([...range(0x20, 0x7e), ...range(0xa1, 0xac), ...range(0xae, 0x17f), ...SIGNS])];
/** Whose distance depends on the next one. */
const PAIRED = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ..."-.,'"];

interface Drawn {
  weight: number;
  /** Code point, advance in 64ths of a pixel, offset from the pen and the baseline, size of the picture. */
  glyphs: [code: number, advance: number, left: number, top: number, width: number, height: number][];
  /** 64ths of a pixel between two letters that differ from their advance. */
  pairs: Record<string, number>;
  covered: number[];
}

function font(alphabet: string): string {
  const path = `node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-${alphabet}-wght-normal.woff2`;
  return readFileSync(new URL(path, ROOT)).toString('base64');
}

/** Runs in the page. */
const DRAW = `async ({ fonts, weights, size, pad, letters, paired }) => {
  for (const data of fonts) {
    const face = new FontFace('Hanken', 'url(data:font/woff2;base64,' + data + ')', { weight: '100 900' });
    document.fonts.add(await face.load());
  }
  const canvas = new OffscreenCanvas(size * 2 + pad * 2, size * 2);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const baseline = Math.round(size * 1.3);
  return weights.map((weight) => {
    context.font = weight + ' ' + size + 'px Hanken';
    const advance = (text) => Math.round(context.measureText(text).width * 64);
    const glyphs = [];
    const covered = [];
    for (const letter of letters) {
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.fillText(letter, pad, baseline);
      const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
      let [left, right, top, bottom] = [width, -1, height, -1];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          if (data[(y * width + x) * 4 + 3] > 7) {
            left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
          }
      if (right < 0) { glyphs.push([letter.codePointAt(0), advance(letter), 0, 0, 0, 0]); continue; }
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) covered.push(Math.round(data[(y * width + x) * 4 + 3] / 17));
      glyphs.push([letter.codePointAt(0), advance(letter), left - pad, top - baseline, right - left + 1, bottom - top + 1]);
    }
    const pairs = {};
    for (const one of paired)
      for (const next of paired) {
        const gap = advance(one + next) - advance(one) - advance(next);
        if (Math.abs(gap) >= 64) pairs[one + next] = gap;
      }
    return { weight, glyphs, pairs, covered };
  });
}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
const wanted = {
  fonts: ['latin', 'latin-ext'].map(font),
  weights: WEIGHTS,
  size: SIZE,
  pad: PAD,
  letters: LETTERS,
  paired: PAIRED,
};
const drawn = (await page.evaluate(`(${DRAW})(${JSON.stringify(wanted)})`)) as Drawn[];
await browser.close();

const header = JSON.stringify({ size: SIZE, faces: drawn.map(({ covered: _, ...face }) => face) });
const nibbles = drawn.flatMap(({ covered }) => covered);
const packed = Buffer.alloc(Math.ceil(nibbles.length / 2));
for (const [at, value] of nibbles.entries())
  packed[at >> 1] = (packed[at >> 1] as number) | (at % 2 === 0 ? value << 4 : value);
const whole = Buffer.concat([Buffer.from(`${header}\n`), packed]);
const file = brotliCompressSync(whole, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
});
writeFileSync(new URL('web/picture/glyphs.br', ROOT), file);
process.stdout.write(
  `web/picture/glyphs.br ${file.byteLength} bytes, ${LETTERS.length} letters in ${WEIGHTS.length} weights\n`,
);
