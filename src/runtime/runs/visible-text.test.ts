import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { visible, visibleText } from './visible-text.ts';

test('escapes control and direction characters, and keeps all other text', () => {
  assert.equal(visible('plain é 漢 😀\ttab\r\nline\n'), 'plain é 漢 😀\ttab\r\nline\n');
  assert.equal(visible('\x1b[31mred\x1b[0m'), '\\u001b[31mred\\u001b[0m');
  assert.equal(visible('\x1b]0;title\x07'), '\\u001b]0;title\\u0007');
  assert.equal(visible('over\rwritten\b\x7f'), 'over\\u000dwritten\\u0008\\u007f');
  assert.equal(visible('\x9b2J \0'), '\\u009b2J \\u0000');
  assert.equal(visible('a\u202eb\u2066c'), 'a\\u202eb\\u2066c');
});

test('escapes text the same way however it is split into chunks', () => {
  const piece = fc.constantFrom('a', 'é', '漢', '😀', '\r', '\n', '\r\n', '\t', '\x1b[2J', '\x9b', '\u202e', '\0');
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
      const text = pieces.join('');
      const bytes = Buffer.from(text);
      const { take, rest } = visibleText();
      let out = '';
      for (let at = 0; at < bytes.length; at += size) out += take(bytes.subarray(at, at + size));
      out += rest();
      assert.equal(out, visible(text));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
      assert.doesNotMatch(out, /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]|\r(?!\n)/);
    }),
  );
});

test('replaces invalid UTF-8 with U+FFFD', () => {
  const { take, rest } = visibleText();
  assert.equal(take(Buffer.from([0x61, 0xff, 0xe6])) + rest(), 'a\ufffd\ufffd');
});
