import { writeFileSync } from 'node:fs';
import { markPixels } from '../web/picture/mark.ts';
import { encodePng } from '../web/picture/png.ts';

/** `npm run icons` draws the icons of the pages from the logo: `favicon.ico`, and the icons of home screens. */

const STYLE = new URL('../web/style/', import.meta.url);
const FAVICON_SIZES = [16, 32, 48];
const HOME_SIZES = [180, 192, 512];

for (const size of HOME_SIZES) write(`icon-${size}.png`, encodePng(markPixels(size)));
write('favicon.ico', icoOf(FAVICON_SIZES.map((size) => ({ size, png: encodePng(markPixels(size, true)) }))));

function write(name: string, file: Buffer): void {
  writeFileSync(new URL(name, STYLE), file);
  process.stdout.write(`web/style/${name} ${file.byteLength} bytes\n`);
}

/** The format of icons: a header, an entry for each picture, and the pictures as PNG. */
function icoOf(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const ENTRY = 16;
  const header = Buffer.alloc(6 + ENTRY * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.byteLength;
  for (const [at, { size, png }] of pictures.entries()) {
    const entry = 6 + at * ENTRY;
    header.set([size, size], entry);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.byteLength, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.byteLength;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}
