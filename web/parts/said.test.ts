import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './said.ts';

const shown = (detail: string): string =>
  failure({ detail: 'Not saved.', code: 'sdk.x', errors: [{ pointer: '/files/0', detail }] }).html;

test('a field’s error that is the whole message is said once', () => {
  assert.doesNotMatch(shown('Not saved.'), /<li>/);
});

test('an error in a file is shown with its file and line, any other with its field', () => {
  const found = shown('HARNESS.md:3:1: error frontmatter-missing: The file has no front matter.');
  assert.match(found, /<li><code>HARNESS\.md<\/code>, line 3: The file has no front matter\.<\/li>/);
  assert.match(shown('Too <b>long'), /<li><code>\/files\/0<\/code> Too &lt;b&gt;long<\/li>/);
});
