import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerPage, docsDeps, input, text } from '#test/docs-deps.ts';
import { renderDocs } from './docs-md.ts';
import { getDocs } from './get.ts';
import { once } from './once.ts';

const deps = await docsDeps();
const documentation = once(() => renderDocs(deps));

test('200: the documentation as a page', async () => {
  const { body, media_type } = await text(
    getDocs(documentation, answerPage)(input({ accept: 'text/html', raw_path: '/docs' })),
  );
  assert.equal(media_type, 'text/html; charset=utf-8');
  assert.equal(body, 'page of /docs');
});

test('200: Markdown for clients that prefer it', async () => {
  const { body, headers } = await text(
    getDocs(documentation, answerPage)(input({ accept: 'text/markdown, text/html;q=0.5' })),
  );
  assert.match(body, /^# The Capstan API/);
  assert.equal(headers?.vary, 'accept');
});
