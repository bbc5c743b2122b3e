import type { Pixels } from '../../web/picture/png.ts';

/** A picture as the mean colours of its cells, in which the edges of letters do not count. */

/** Pixels of a side. */
const CELL = 8;
/** Long pages are pictured from the top. */
const MOST_ROWS = 500;
/** Stored colours are rounded to these steps, which makes files small. */
const STEP = 16;
/** More than rounding and the edges of letters make. */
const MOST_DIFFERENCE = STEP / 2 + 12;
/** Cells that may differ more: a letter that is drawn half a pixel to the side. */
const MOST_CELLS = 3;

export function cellsOf({ width, height, rgb }: Pixels): Pixels {
  const columns = Math.floor(width / CELL);
  const rows = Math.min(MOST_ROWS, Math.floor(height / CELL));
  const sums = new Uint32Array(columns * rows * 3);
  for (let y = 0; y < rows * CELL; y++) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0, from = y * width * 3; x < columns * CELL; x++, from += 3) {
      const to = (row + Math.floor(x / CELL)) * 3;
      sums[to] = (sums[to] as number) + (rgb[from] as number);
      sums[to + 1] = (sums[to + 1] as number) + (rgb[from + 1] as number);
      sums[to + 2] = (sums[to + 2] as number) + (rgb[from + 2] as number);
    }
  }
  return { width: columns, height: rows, rgb: Uint8Array.from(sums, (sum) => sum / CELL ** 2) };
}

export const rounded = ({ rgb, ...size }: Pixels): Pixels => ({
  ...size,
  rgb: rgb.map((value) => Math.min(255, Math.round(value / STEP) * STEP)),
});

/** The numbers of the cells in which two pictures differ visibly; all that only one of them has. Empty if they look the same. */
export function differences(before: Pixels, after: Pixels): number[] {
  const cells: number[] = [];
  const rows = Math.max(before.height, after.height);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < after.width; x++)
      if (y >= before.height || y >= after.height || differs(before, after, (y * after.width + x) * 3))
        cells.push(y * after.width + x);
  return cells.length > MOST_CELLS ? cells : [];
}

function differs(before: Pixels, after: Pixels, at: number): boolean {
  for (let channel = at; channel < at + 3; channel++)
    if (Math.abs((before.rgb[channel] as number) - (after.rgb[channel] as number)) > MOST_DIFFERENCE) return true;
  return false;
}

/** The picture with the cells tinted. */
export function tinted({ width, height, rgb }: Pixels, cells: readonly number[]): Pixels {
  const shown = rgb.slice();
  const columns = Math.floor(width / CELL);
  for (const cell of cells) {
    const [left, top] = [(cell % columns) * CELL, Math.floor(cell / columns) * CELL];
    for (let y = top; y < Math.min(height, top + CELL); y++)
      for (let x = left; x < left + CELL; x++) {
        const at = (y * width + x) * 3;
        shown[at] = ((shown[at] as number) + 255) >> 1;
        shown[at + 1] = (shown[at + 1] as number) >> 1;
        shown[at + 2] = ((shown[at + 2] as number) + 160) >> 1;
      }
  }
  return { width, height, rgb: shown };
}

const GAP = 4;

/** Several pictures in one, from left to right. */
export function sheetOf(pictures: readonly Pixels[]): Pixels {
  const width = pictures.reduce((sum, picture) => sum + picture.width + GAP, -GAP);
  const height = Math.max(...pictures.map((picture) => picture.height));
  const rgb = new Uint8Array(width * height * 3);
  let left = 0;
  for (const picture of pictures) {
    const row = picture.width * 3;
    for (let y = 0; y < picture.height; y++)
      rgb.set(picture.rgb.subarray(y * row, (y + 1) * row), (y * width + left) * 3);
    left += picture.width + GAP;
  }
  return { width, height, rgb };
}

/** The pictures of a sheet, by their widths. */
export function fromSheet(sheet: Pixels, widths: readonly number[]): Pixels[] {
  let left = 0;
  return widths.map((width) => {
    const rgb = new Uint8Array(width * sheet.height * 3);
    for (let y = 0; y < sheet.height; y++) {
      const at = (y * sheet.width + left) * 3;
      rgb.set(sheet.rgb.subarray(at, at + width * 3), y * width * 3);
    }
    left += width + GAP;
    return trimmed({ width, height: sheet.height, rgb });
  });
}

/** Without the black below a picture that is shorter than its neighbours: no page is as dark. */
function trimmed({ width, height, rgb }: Pixels): Pixels {
  const last = rgb.findLastIndex((value) => value !== 0);
  const rows = Math.min(height, Math.ceil((last + 1) / (width * 3)));
  return { width, height: rows, rgb: rgb.subarray(0, rows * width * 3) };
}
