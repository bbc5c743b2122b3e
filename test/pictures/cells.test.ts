import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePng, type Pixels } from '../../web/picture/png.ts';
import { cellsOf, differences, fromSheet, rounded, sheetOf, tinted } from './cells.ts';
import { readPng } from './read-png.ts';

/** A page of one colour with a dark rectangle on it, as of a word. */
function picture(word: { x: number; y: number; width: number }, height = 160): Pixels {
  const rgb = new Uint8Array(320 * height * 3).fill(246);
  for (let y = word.y; y < word.y + 10; y++) rgb.fill(20, (y * 320 + word.x) * 3, (y * 320 + word.x + word.width) * 3);
  return { width: 320, height, rgb };
}

const WORD = { x: 40, y: 40, width: 60 };

test('a picture survives its file, and cells survive a sheet beside shorter neighbours', () => {
  const one = picture(WORD);
  assert.deepEqual(readPng(encodePng(one)), { ...one });
  const cells = [one, picture(WORD, 80)].map(cellsOf);
  const read = fromSheet(readPng(encodePng(rounded(sheetOf(cells)))), [40, 40]);
  assert.deepEqual(
    read.map(({ height }) => height),
    [20, 10],
  );
  for (const [at, stored] of read.entries()) assert.deepEqual(differences(stored, cells[at] as Pixels), []);
});

test('a word that moved or went is seen, and where; an edge that is drawn differently is not', () => {
  const before = rounded(cellsOf(picture(WORD)));
  assert.notDeepEqual(differences(before, cellsOf(picture({ ...WORD, y: 48 }))), []);
  assert.notDeepEqual(differences(before, cellsOf(picture({ ...WORD, width: 0 }))), []);
  assert.equal(differences(before, cellsOf(picture(WORD, 168))).length, 40, 'the row that the page has grown by');
  const edge = picture(WORD);
  for (let y = 40; y < 50; y++) edge.rgb.fill(80, (y * 320 + 100) * 3, (y * 320 + 101) * 3);
  assert.deepEqual(differences(before, cellsOf(edge)), []);
  const { rgb } = tinted(picture(WORD), [0]);
  assert.deepEqual([...rgb.subarray(0, 3)], [250, 123, 203]);
  assert.deepEqual([...rgb.subarray(24, 27)], [246, 246, 246]);
});
