import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine, shortened } from './shown-text.ts';

test('removes hidden and bidirectional characters; emoji and other scripts stay', () => {
  assert.equal(oneLine(' a\u202Eb\u200Bc\0\n\td\u{E0041} \uD800'), 'abc d \uFFFD');
  for (const fine of ['👩‍💻 नमस्ते', 'می‌خواهم', 'क्‍ष', '❤️']) assert.equal(oneLine(fine), fine);
  // Characters that can smuggle whole hidden sentences.
  const carried = [...'do'].map((text) => String.fromCodePoint(0xe0100 + text.charCodeAt(0))).join('');
  assert.equal(oneLine(`a${carried}b\u3164\u034f\u00ad\u180e\u2065\u200cc`), 'abc');
});

test('truncates a long text after a word, or within a word if there is only one', () => {
  assert.equal(shortened('one two three four', 12), 'one two…');
  assert.equal(shortened('one, two, three', 10), 'one, two…');
  assert.equal(shortened('x'.repeat(20), 10), `${'x'.repeat(9)}…`);
  assert.equal(shortened(`${'x'.repeat(8)}👩${'x'.repeat(8)}`, 10), `${'x'.repeat(8)}…`);
  assert.equal(shortened('short', 10), 'short');
});
