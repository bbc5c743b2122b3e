import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldTimeOf } from '#test/cpu-time.ts';
import { imageFacts } from './image-facts.ts';
import { jsonText } from './json-text.ts';
import { looksLikeMarkdown, resultView } from './result.ts';
import { imageAt, partAt } from './result-parts.ts';
import { valueView } from './value-view.ts';

async function turn() {}
const showing = { turn, renderMarkdown: async (text: string) => `<p>${text.length} characters of Markdown</p>` };
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

/** A PNG header is all that a reader of headers needs. */
function png(width: number, height: number): string {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head.toString('base64');
}

async function htmlOf(output: unknown, output_files: Parameters<typeof resultView>[0]['output_files'] = []) {
  return (await resultView({ output, output_files, path: '/runs/r', is_markdown: false }, showing)).html;
}

test('a list of objects is a table, and an object is a tree', async () => {
  const table = await htmlOf([
    { name: 'a', size: 1 },
    { name: '<b>', size: 2, more: true },
  ]);
  assert.match(table, /<th scope="col">name<\/th><th scope="col" class="number">size<\/th><th scope="col">more<\/th>/);
  assert.match(table, /<td><span class="string" dir="auto">&lt;b&gt;<\/span><\/td><td class="number">/);
  const tree = await htmlOf({ city: 'Bern', at: { lat: 46.9 }, none: null, list: [] });
  assert.match(tree, /<dt>city<\/dt><dd><span class="string" dir="auto">Bern<\/span>/);
  assert.match(tree, /<dt>at<\/dt><dd><dl class="members"><div><dt>lat<\/dt>/);
  assert.match(tree, /<span class="null">null<\/span>[\s\S]*empty list/);
});

test('text of a model and text with marks of Markdown are rendered, other text is shown as it is', async () => {
  assert.match(await htmlOf('# Title\n\n- one\n- two\n'), /class="prose" dir="auto"><p>\d+ characters of Markdown/);
  assert.match(await htmlOf('<script>alert(1)</script>'), /<pre[^>]*><code>&lt;script&gt;alert\(1\)/);
  assert.equal(looksLikeMarkdown('# a comment\nkey: value\n'), false);
  assert.match(await htmlOf('{"a":[1,2]}'), /<dt>a<\/dt>/);
  const failing = await resultView(
    { output: 'hello', output_files: [], path: '/runs/r', is_markdown: true },
    {
      turn,
      renderMarkdown: async () => {
        throw new Error('too much');
      },
    },
  );
  assert.match(failing.html, /<pre[^>]*><code>hello<\/code>/);
});

test('a result is shown as JSON or with its texts as they came, where it is asked for so', async () => {
  const as = async (output: unknown, form: 'json' | 'raw') =>
    (await resultView({ output, output_files: [], path: '/runs/r', is_markdown: true, form }, showing)).html;
  const text = '# Title\n\n**bold** {"a":1}';
  const blocks = {
    content: [
      { type: 'text', text },
      { type: 'image', data: '' },
    ],
    structured_content: { a: 1 },
  };
  assert.match(await as(blocks, 'raw'), /<code># Title\n\n\*\*bold\*\* \{&quot;a&quot;:1\}<\/code>/);
  assert.match(await as(blocks, 'json'), /<code>\{\n {2}&quot;content&quot;: \[/);
  assert.match(await as(text, 'raw'), /<code># Title/);
  assert.match(await as({ a: 1 }, 'raw'), /<dt>a<\/dt>/, 'there is no text in it');
});

test('an image is recognized by its bytes, whatever its declared type is', async () => {
  const image = (mimeType: string, data: string) => ({ content: [{ type: 'image', mimeType, data }] });
  const shown = await htmlOf(image('text/html', png(3, 2)));
  assert.match(shown, /<img src="\/runs\/r\/view\/blocks\/0" width="3" height="2" alt="Part 1 of the result"/);
  const both = await htmlOf({
    content: [
      { type: 'text', text: '{"tide":3}' },
      { type: 'image', mimeType: 'image/png', data: png(3, 2) },
    ],
    structured_content: { tide: 3 },
  });
  assert.match(both, /<img src="\/runs\/r\/view\/blocks\/1"[\s\S]*<dt>tide<\/dt>/);
  assert.equal(both.split('<details')[0]?.match(/tide/g)?.length, 1, 'the same once');
  const hostile = [
    image('image/svg+xml', base64('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')),
    image('image/png', base64('<html><script>alert(1)</script>')),
    image('image/png', png(60_000, 60_000)),
    image('image/png', png(0, 5)),
    image('image/png', '%%% not base64'),
  ];
  for (const output of hostile) {
    const html = await htmlOf(output);
    assert.doesNotMatch(html, /<img|<svg|<script/);
    assert.match(html, /href="\/runs\/r\/download\/blocks\/0" download/);
  }
});

test('parts are downloads without a type that a browser renders, and only images have a view', () => {
  const html = { path: 'a/x.html', size: 9, content_base64: base64('<b>1</b>') };
  const output = {
    content: [
      { type: 'image', mimeType: 'image/svg+xml', data: base64('<svg/>') },
      { type: 'image', data: png(1, 1) },
    ],
  };
  const values = { input: null, input_files: [], output, output_files: [html, { ...html, path: 'p.svg' }] };
  assert.equal(partAt(values, 'output/a/x.html')?.media_type, 'application/octet-stream');
  assert.equal(partAt(values, 'blocks/0')?.media_type, 'application/octet-stream');
  assert.equal(imageAt(values, 'blocks/1')?.media_type, 'image/png');
  for (const path of ['blocks/0', 'blocks/2', 'blocks/-1', 'output', 'output/a/x.html', 'output/p.svg', 'x', ''])
    assert.equal(imageAt(values, path), null, path);
});

test('the size of an image is read from the header of each type', () => {
  const gif = Buffer.from('GIF89a\x05\x00\x07\x00', 'latin1');
  assert.deepEqual(imageFacts(gif), { media_type: 'image/gif', width: 5, height: 7 });
  const jpeg = Buffer.from('ffd8ffe00004000000ffc0000b080007000501', 'hex');
  assert.equal(imageFacts(jpeg), null);
  const whole = Buffer.from('ffd8ffe000040000ffc0000b080007000501012200', 'hex');
  assert.deepEqual(imageFacts(whole), { media_type: 'image/jpeg', width: 5, height: 7 });
  const webp = Buffer.from(`52494646000000005745425056503858${'0a000000'}00000000${'040000'}${'060000'}`, 'hex');
  assert.deepEqual(imageFacts(webp), { media_type: 'image/webp', width: 5, height: 7 });
  assert.equal(imageFacts(Buffer.from('')), null);
});

test('links of a tool lead to the web only', async () => {
  const link = (uri: string) => htmlOf({ content: [{ type: 'resource_link', uri, name: 'x' }] });
  assert.match(await link('https://a.example/x'), /<a href="https:\/\/a\.example\/x" rel="nofollow ugc noopener">/);
  for (const uri of ['javascript:alert(1)', 'data:text/html,<b>', 'file:///etc/passwd'])
    assert.doesNotMatch(await link(uri), /<a href="(?!\/runs)/);
});

test('JSON is written up to its limit', () => {
  const value = { a: [1, 'x', null, {}, []], b: { c: true } };
  assert.deepEqual(jsonText(value, 1_000), { text: JSON.stringify(value, null, 2), is_cut: false });
  assert.deepEqual(jsonText('abcdef', 4), { text: '"abc', is_cut: true });
  assert.equal(jsonText([1, 2, 3], 5).is_cut, true);
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

const ROW = { row: 1 };
const BLOCK = { type: 'text', text: '<b>' };
const columns = (size: number) => Object.fromEntries(Array.from({ length: size / 40 }, (_, at) => [`c${at}`, 1]));

const HOSTILE: readonly [what: string, make: (size: number) => unknown][] = [
  ['long text', (size) => 'a<'.repeat(size * 5)],
  ['lines', (size) => '# \n'.repeat(size * 3)],
  ['many items', (size) => new Array(size).fill(1)],
  ['many rows', (size) => new Array(size).fill(ROW)],
  ['many columns', (size) => [columns(size), columns(size)]],
  ['deep nesting', (size) => deep(size / 200)],
  ['many blocks', (size) => ({ content: new Array(size).fill(BLOCK) })],
  ['text of brackets', (size) => '['.repeat(size / 10)],
  ['a data address', (size) => ({ image: `data:image/svg+xml;base64,${'PHN2Zz4='.repeat(size / 8)}` })],
];

/** Of processor time; a request may hold the loop for 50 ms. */
const MOST_MS = 50;

/** The least of a few tries: collecting the garbage of another test is not the view's. */
async function leastHeld(value: unknown): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && leastMs > MOST_MS / 4; tries++)
    leastMs = Math.min(leastMs, await heldTimeOf(() => htmlOf(value)));
  return leastMs;
}

test('hostile results hold the loop for less than 50 ms, and twice as much takes no longer than twice as long', async () => {
  for (const [what, make] of HOSTILE) {
    const [value, twice] = [make(500_000), make(1_000_000)];
    const firstMs = await leastHeld(value);
    const secondMs = await leastHeld(twice);
    assert.ok(secondMs < MOST_MS, `${what}: ${firstMs.toFixed(1)} ms, ${secondMs.toFixed(1)} ms`);
    const html = await htmlOf(twice);
    assert.ok(html.length < 1_500_000, `${what}: ${html.length} characters`);
    assert.doesNotMatch(html, /<svg|<b>|<script/);
  }
});

test('a value is shown from one budget: what is left over is counted', () => {
  const { html } = valueView(Array.from({ length: 300 }, (_, at) => [at, [at]]));
  assert.match(html, /200 more entries\./);
  assert.match(valueView(deep(20)).html, /not shown/);
});
