import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processTimeOf } from '#test/cpu-time.ts';
import { readPng } from '#test/pictures/read-png.ts';
import { type CardFacts, cardOf } from './card.ts';
import { lineOf, wrapped, writable } from './letters.ts';
import { coverage, placed, polygonsOf } from './outline.ts';

const FACTS: CardFacts = {
  id: 'smithery/tides',
  name: 'Tides',
  sentence: 'High and low water of every harbour.',
  kind: 'Server',
  publisher: 'harbour-works',
  is_confirmed: true,
  state: { look: 'good', words: 'Runs now' },
  site: 'Capstan',
};
async function turn(): Promise<void> {}
const draw = async (changes: Partial<CardFacts>) => readPng(await cardOf({ ...FACTS, ...changes }, turn));

/** How many pixels of a part of the picture are not its ground. */
async function inked(changes: Partial<CardFacts>, from: number, to: number): Promise<number> {
  const { rgb, width } = await draw(changes);
  const ground = rgb.subarray(0, 3);
  let ink = 0;
  for (let at = from * width * 3; at < to * width * 3; at += 3) if (rgb[at] !== ground[0]) ink++;
  return ink;
}

test('the sentence, the state and the publisher are on the picture, and another name is another picture', async () => {
  const [name, sentence, foot] = [
    [80, 260],
    [300, 480],
    [510, 600],
  ] as const;
  assert.ok((await inked({}, ...sentence)) > (await inked({ sentence: '' }, ...sentence)));
  assert.equal(await inked({ sentence: '' }, ...sentence), 0);
  assert.ok((await inked({}, ...foot)) > (await inked({ state: null }, ...foot)));
  assert.ok((await inked({}, ...foot)) > (await inked({ publisher: '' }, ...foot)));
  assert.notEqual(await inked({}, ...name), await inked({ name: 'Other' }, ...name));
  assert.equal(cardOf(FACTS, turn), cardOf({ ...FACTS }, turn), 'the same facts are drawn once');
});

test('a listing in another script has its id, and long or hostile text stays in the picture and in its time', async () => {
  assert.equal(writable('潮の満ち引き'), null);
  assert.equal(writable('Tides 潮'), 'Tides');
  assert.equal(writable('some te\u{202E}xt\u{0}\n here'), 'some text here');
  assert.ok((await inked({ name: '潮', sentence: '潮の満ち引き' }, 80, 260)) > 0);
  const long = { name: 'W'.repeat(160), sentence: 'mm '.repeat(134), publisher: 'w'.repeat(80) };
  const { rgb, width } = await draw(long);
  for (let y = 0; y < 630; y++)
    for (let x = 1_125; x < width; x++) assert.equal(rgb[(y * width + x) * 3], rgb[0], `${x}, ${y}`);
  let number = 0;
  assert.ok((await processTimeOf(() => draw({ ...long, id: `${number++}` }), 100)) < 100);
});

test('text is broken between words, and a cut line fits with its ellipsis', () => {
  const box = { size: 30, weight: 400, width: 200, lines: 2 } as const;
  const lines = wrapped('one two three four five six seven eight nine ten', box);
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /…$/);
  for (const line of lines) assert.ok(lineOf(line, box.size, box.weight).width <= box.width, line);
  assert.deepEqual(wrapped('short', box), ['short']);
  assert.deepEqual(wrapped('', box), []);
});

test('flags are covered as their paths say: squares, holes, circles and quarter turns', () => {
  const sum = (path: string, turn = 0) =>
    coverage(placed(polygonsOf(path), { side: 40, to: 40, turn }), 40).reduce((all, part) => all + part, 0);
  assert.equal(Math.round(sum('M0 0h40v20H0z')), 800);
  assert.equal(Math.round(sum('M0 0h40v40H0zm7 7v26h26V7z')), 1_600 - 26 * 26);
  assert.ok(Math.abs(sum('M20 9a11 11 0 1 1 0 22 11 11 0 0 1 0-22z') - Math.PI * 121) < 8);
  assert.ok(Math.abs(sum('M0 0h34A34 34 0 0 1 0 34z') - (Math.PI * 34 * 34) / 4) < 8);
  const turned = coverage(placed(polygonsOf('M0 0h40v20H0z'), { side: 40, to: 40, turn: 90 }), 40);
  assert.deepEqual([turned[0], turned[39]], [0, 1], 'the upper half is at the right');
});
