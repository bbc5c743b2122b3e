import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { answerPage, docsDeps, input, text } from '#test/docs-deps.ts';
import { getErrorPage } from './get-error-page.ts';

const { errors } = await docsDeps();
const handler = getErrorPage(errors, answerPage);
const ask = (code: string, accept: string) => text(handler(input({ params: { code } as never, accept })));

test('200: Markdown for programs, a page for browsers', async () => {
  assert.match((await ask('http.invalid', '*/*')).body, /^# http\.invalid\n/);
  assert.match((await ask('http.invalid', 'text/html')).body, /^page of /);
});

test('200: .md is Markdown for browsers too', async () => {
  assert.match((await ask('http.invalid.md', 'text/html')).media_type, /^text\/markdown/);
});

test('200: every page has its code, what to do, an example, and each reason with its fix', async () => {
  for (const [code, { reasons = {} }] of Object.entries(errors)) {
    const { body } = await ask(`${code}.md`, '*/*');
    assert.match(body, /^# [a-z]+\.[a-z_]+\n\n\S/);
    const [, example = ''] = /```json\n(\{.*\n\})\n```/s.exec(body) ?? [];
    assert.equal(JSON.parse(example).code, code);
    for (const reason of Object.keys(reasons)) assert.match(body, new RegExp(`\n### ${reason}\n\n\\S`), code);
    assert.equal(body.split('**What to do.**').length, 2 + Object.keys(reasons).length, code);
  }
});

test('308: a former code leads to the page that replaced it, in the same form', async () => {
  const at = async (code: string) => {
    const { status, headers } = await ask(code, 'text/html');
    return [status, headers?.location];
  };
  assert.deepEqual(await at('auth.challenge_used'), [308, '/docs/errors/auth.signature_invalid#challenge_used']);
  assert.deepEqual(await at('auth.bad_credentials'), [308, '/docs/errors/auth.credentials_invalid']);
  assert.deepEqual(await at('auth.challenge_used.md'), [308, '/docs/errors/auth.signature_invalid.md']);
});

test('404: an unknown code, also with path traversal', async () => {
  for (const code of ['nothing.here', '../../package', '__proto__', ''])
    await assert.rejects(
      async () => handler(input({ params: { code } as never })),
      (error) => error instanceof Problem && error.code === 'http.not_found',
    );
});
