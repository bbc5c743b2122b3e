import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { answerPage, docsDeps, input, text } from '#test/docs-deps.ts';
import { meaningOf } from './error-pages.ts';
import { getErrorPage } from './get-error-page.ts';

const { pages } = await docsDeps();
const ask = (code: string, accept: string) =>
  text(getErrorPage(pages, answerPage)(input({ params: { code } as never, accept })));

test('200: Markdown for programs, a page for browsers', async () => {
  assert.match((await ask('http.invalid_input', '*/*')).body, /^# http\.invalid_input\n/);
  assert.match((await ask('http.invalid_input', 'text/html')).body, /^page of /);
});

test('200: .md is Markdown for browsers too', async () => {
  assert.match((await ask('http.invalid_input.md', 'text/html')).media_type, /^text\/markdown/);
});

test('404: an unknown code, also with path traversal', async () => {
  for (const code of ['nothing.here', '../../package', '__proto__', ''])
    await assert.rejects(
      async () => getErrorPage(pages, answerPage)(input({ params: { code } as never })),
      (error) => error instanceof Problem && error.code === 'docs.not_found',
    );
});

test('the meaning of a code is the first sentence of its page', () => {
  assert.equal(meaningOf('# a.b\n\nIt is\nbroken. Badly.\n\nMore.'), 'It is broken.');
  assert.equal(meaningOf('# a.b\n\n**Meaning.** Not there: gone.\n'), 'Not there: gone.');
  assert.equal(meaningOf('# a.b\n'), '');
});

test('every page has a meaning', () => {
  assert.deepEqual(
    [...pages].filter(([, page]) => meaningOf(page) === '').map(([code]) => code),
    [],
  );
});
