import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docsDeps, input, text } from '../../../test/docs-deps.ts';
import { getDocs } from './get-docs.ts';

test('200: the documentation as a page', async () => {
  const { body, media_type } = await text(getDocs(await docsDeps())(input({ accept: 'text/html' })));
  assert.equal(media_type, 'text/html; charset=utf-8');
  assert.match(body, /<h1>The Capstan API<\/h1>/);
  assert.doesNotMatch(body, / style=/);
});

test('200: or as Markdown for whoever prefers it', async () => {
  const { body, headers } = await text(getDocs(await docsDeps())(input({ accept: 'text/markdown, text/html;q=0.5' })));
  assert.match(body, /^# The Capstan API/);
  assert.equal(headers?.vary, 'accept');
});
