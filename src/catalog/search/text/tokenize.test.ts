import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growing, pumpsOf } from '#test/growth.ts';
import { tokenize } from './tokenize.ts';

test('invisible characters do not split words, except where a script has words apart by them', () => {
  assert.deepEqual(tokenize('we\u200bather\u200d fore\u2060cast \ufeff'), ['weather', 'forecast']);
  assert.deepEqual(tokenize('ca\u00adlendar по\u200bгода'), ['calendar', 'погода']);
  assert.deepEqual(tokenize('می\u200cخواهم'), ['می', 'خواهم']);
  assert.deepEqual(tokenize('ខ្ញុំ\u200bស្រឡាញ់').length, 2);
});

test('texts of nothing but invisible characters and letters take linear time', () => {
  assert.deepEqual(growing(tokenize, pumpsOf(['a\u200b', '\u200b', 'a\u00ad\u200d'])), []);
});
