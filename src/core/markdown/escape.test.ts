import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { anyText } from '#test/any-text.ts';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { codeBlock, codeSpan, escapeInline, escapeWithin, visible, webLink } from './escape.ts';

/** The most permissive renderer: raw HTML, automatic links, everything enabled. */
const reader = new MarkdownIt({ html: true, linkify: true });
reader.linkify.set({ fuzzyLink: false, fuzzyEmail: true });

function kinds(source: string): Set<string> {
  const found = new Set<string>();
  for (const block of reader.parse(source, {})) {
    found.add(block.type);
    for (const inline of block.children ?? []) found.add(inline.type);
  }
  return found;
}
const textOf = (source: string): string =>
  reader
    .parse(source, {})
    .flatMap((block) => block.children ?? [])
    .map((child) => child.content)
    .join('');
const oneLine = (text: string): string => visible(text).replace(/\s+/gu, ' ').trim();

const pieces = [
  '# ',
  '\n',
  '- ',
  '1. ',
  '```',
  '`',
  '*',
  '_',
  '[x](http://a.b)',
  '![i](x)',
  '<b>',
  '</p>',
  '<!--',
  '&lt;',
];
const more = [
  'https://evil.example/a',
  'www.evil.example',
  'a@b.example',
  '|',
  '---',
  '===',
  '~~',
  '\\',
  '\u{200B}',
  '$x$',
];
const hostile = fc.oneof(
  anyText({ maxLength: 60 }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((parts) => parts.join('')),
);
const PLAIN = new Set(['paragraph_open', 'paragraph_close', 'inline', 'text', 'text_special', 'code_inline']);

test('any escaped text is one paragraph with the same visible text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeInline(text);
      assert.doesNotMatch(escaped, /[\n\r]/);
      for (const kind of kinds(escaped)) assert.ok(PLAIN.has(kind), `${kind} from ${JSON.stringify(text)}`);
      assert.equal(textOf(escaped), oneLine(text));
    }),
    { numRuns: 2_000 },
  );
});

test('escaped text stays inside a heading, a list and a table', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeInline(text);
      const source = `# ${escaped}\n\n- Name: ${escapeWithin(text)}\n\n| a | b |\n|---|---|\n| ${escaped} | end |\n`;
      const tokens = reader.parse(source, {}).map((entry) => entry.type);
      assert.equal(tokens.filter((token) => token === 'heading_open').length, 1);
      assert.equal(tokens.filter((token) => token === 'list_item_open').length, 1);
      assert.equal(tokens.filter((token) => token === 'td_open').length, 2);
      assert.ok(!tokens.includes('html_block') && !tokens.includes('fence'));
      assert.ok(!kinds(source).has('html_inline') && !kinds(source).has('link_open'));
    }),
    { numRuns: 1_000 },
  );
});

test('escaped text cannot leave code spans and blocks', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const span = codeSpan(text);
      if (span !== '')
        assert.deepEqual([...kinds(span)].toSorted(), ['code_inline', 'inline', 'paragraph_close', 'paragraph_open']);
      assert.deepEqual([...kinds(codeBlock(text))], ['fence']);
    }),
  );
});

test('hidden characters are made visible, and emoji stay whole', () => {
  assert.equal(visible('a\u{200B}b\u{202E}c\u{2066}\u{FEFF}\0'), 'a⟨U+200B⟩b⟨U+202E⟩c⟨U+2066⟩⟨U+FEFF⟩⟨U+0000⟩');
  assert.equal(visible('tag\u{E0041}\u{3164}'), 'tag⟨U+E0041⟩⟨U+3164⟩');
  for (const fine of ['👩‍👩‍👧', '❤️', '👩🏽‍💻', '1️⃣', 'naïve 日本語 العربية', 'tab\tline\n'])
    assert.equal(visible(fine), fine);
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.doesNotMatch(visible(text), /[\u{200B}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{200E}\u{200F}]/u);
    }),
  );
});

test('webLink() links only to http and https', () => {
  assert.equal(webLink('home', 'https://a.example/x'), '[home](<https://a.example/x>)');
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'not an address', ''])
    assert.equal(webLink('home', bad), 'home');
  fc.assert(
    fc.property(hostile, hostile, (text, path) => {
      const found = kinds(`${webLink(text, `https://a.example/${path}`)} end`);
      for (const kind of found) assert.ok(PLAIN.has(kind) || kind.startsWith('link_'), kind);
    }),
  );
});

test('long hostile text is escaped in linear time', () => {
  const pieces = ['a@', 'www.', 'http://', '`', '[', 'a.', '\u{200D}👩', '0'];
  const texts = pieces.map((piece) => piece.repeat(100_000 / piece.length));
  assert.ok(cpuTimeOf(() => texts.forEach((text) => void escapeInline(text)), 2_000) < 2_000);
});
