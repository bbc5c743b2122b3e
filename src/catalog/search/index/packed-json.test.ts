import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growing, pumpsOf } from '#test/growth.ts';
import { bufferOver } from './arrays.ts';
import { bytesOfRow, type PackedJson, packRows } from './packed-json.ts';
import { unpackRow, unpackRows } from './unpack.ts';

/** Enough for a dictionary. */
const MANY = 4_200;
const TEMPLATE =
  '"license":"","listing_type":"server","digest":"","execution_class":"mcp","conflicts":[],"publisher":null,"featured":false';
/** Texts of JSON and of no JSON: the packing does not know the difference. */
const PIECES = [
  '',
  'a',
  '\ud800',
  '\udfff\ud83d',
  '\\u0000\\"',
  '漢字🙂é',
  TEMPLATE,
  TEMPLATE.slice(20, 70),
  `${TEMPLATE}${TEMPLATE.slice(0, 33)}`,
  'x'.repeat(300),
  'abcdefghijklmnopqrstuvwxyz012345'.repeat(5),
  '"},{"items":[',
];

function pack(rows: readonly string[], order = rows.map((_, i) => i)): PackedJson {
  const bytes = rows.map((row) => Buffer.from(row));
  const at = [0];
  for (const { length } of bytes) at.push((at.at(-1) as number) + length);
  return packRows(Buffer.concat(bytes), at, Int32Array.from(order));
}

/** A xorshift generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function randomRow(random: (below: number) => number): string {
  const length = random(40) === 0 ? 400 : random(12);
  return Array.from({ length }, () => `${PIECES[random(PIECES.length)]}${random(3) === 0 ? random(1e6) : ''}`).join('');
}

function unpacked(segment: PackedJson, rows: readonly number[]): string {
  const bytes = Buffer.alloc(
    rows.reduce((sum, row) => sum + bytesOfRow(segment, row), 3),
    '-',
  );
  const end = unpackRows({ segment, json: bufferOver(segment.json) }, Int32Array.from(rows), bytes, 2);
  assert.equal(end, bytes.length - 1);
  return bytes.toString();
}

/** As UTF-8 has no lone surrogates. */
const shown = (text: string): string => Buffer.from(text).toString();

test('rows of any text are unpacked as they were, alone and together, in any order', () => {
  const random = seeded(11);
  const many = Array.from({ length: MANY }, () => randomRow(random));
  const others = Array.from({ length: MANY }, (_, i) => `${i}${TEMPLATE.toUpperCase()}${randomRow(random)}`);
  const few = [...PIECES, TEMPLATE.repeat(3_000), 'z'.repeat(200_000), ''];
  const stores = [many, others, few].map((rows) => ({ rows, segment: pack(rows) }));
  assert.deepEqual(
    stores.map(({ segment }) => segment.dictionary.length > 0),
    [true, true, false],
  );
  // In turns, because a thread keeps only the last dictionary.
  for (let turn = 0; turn < 80; turn++)
    for (const { rows, segment } of stores) {
      const from = random(rows.length);
      const some = Array.from({ length: 1 + random(60) }, (_, i) =>
        turn % 2 === 0 ? Math.min(from + i, rows.length - 1) : random(rows.length),
      );
      assert.equal(unpacked(segment, some), `--${some.map((row) => shown(rows[row] as string)).join('')}-`);
    }
  for (const { rows, segment } of stores)
    for (const [row, text] of rows.entries()) assert.equal(unpackRow(segment, row), shown(text));
  assert.equal(unpacked(stores[0]?.segment as PackedJson, []), '---');
});

test('rows have the order that was asked for, and the same rows give the same bytes', () => {
  const rows = Array.from({ length: MANY }, (_, i) => `{"id":${i},${TEMPLATE}}`);
  const order = rows.map((_, i) => rows.length - 1 - i);
  const segment = pack(rows, order);
  assert.equal(unpackRow(segment, 0), rows.at(-1));
  assert.equal(unpackRow(segment, MANY - 1), rows[0]);
  assert.deepEqual(pack(rows, order), segment);
});

test('what rows have in common takes little', () => {
  const rows = Array.from(
    { length: MANY },
    (_, i) => `{"id":"${i}",${TEMPLATE},"description":"The ${i}th of many tools."}`,
  );
  const plain = rows.join('').length;
  const { json, dictionary } = pack(rows);
  assert.ok(json.length + dictionary.length < plain / 2, `${json.length} and ${dictionary.length} of ${plain} bytes`);
});

test('packing takes time in proportion to the text', () => {
  const pumps = pumpsOf(['a', TEMPLATE, '{"a":[0,', 'abcdefghijklmnopqrstuvwxyz012345']);
  assert.deepEqual(
    growing((text) => pack([text]), pumps),
    [],
  );
});
