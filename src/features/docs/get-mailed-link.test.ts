import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { input, text } from '../../../test/docs-deps.ts';
import { openWorld } from '../../../test/world.ts';
import { OPERATIONS } from '../../contract.ts';
import { getMailedLink } from './get-mailed-link.ts';

test('200: a page that loads and runs nothing from elsewhere, and uses nothing up when it is opened', async () => {
  await using world = await openWorld();
  const answer = await world.fetch('/auth/email');
  const body = await answer.text();
  assert.equal(answer.status, 200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(part), part);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.doesNotMatch(body, /(src|href|action)="(https?:)?\/\//);
  assert.doesNotMatch(body, /<script(?! src="\/assets\/)|\son\w+=|style=/);
  assert.equal((await world.fetch('/assets/mailed-link.js')).status, 200);
});

test('every form sends what its operation takes', async () => {
  const { body } = await text(getMailedLink()(input({})));
  const forms = [...String(body).matchAll(/<form method="post" action="([^"]+)" data-link="([^"]*)"[\s\S]*?<\/form>/g)];
  assert.deepEqual(
    forms.map(([, action, link]) => [link, action]),
    [
      ['verify', '/api/auth/email/verify'],
      ['link', '/api/auth/email/verify'],
      ['reset', '/api/auth/email/reset'],
      ['', '/api/auth/email/reset/request'],
    ],
  );
  for (const [form, action, link] of forms) {
    const operation = OPERATIONS.find((it) => it.method === 'POST' && it.path === action);
    const fields = [...form.matchAll(/name="(\w+)"/g)].map(([, name]) => name as string);
    const sent = link === '' ? fields : ['token', ...fields];
    assert.deepEqual(sent, (operation?.body as { required?: string[] } | undefined)?.required, `${action}`);
  }
});

test('the script sends only when somebody presses the button, and takes the token out of the address', async () => {
  const script = await readFile(new URL('./page/mailed-link.js', import.meta.url), 'utf8');
  assert.equal(script.match(/fetch\(/g)?.length, 1);
  assert.match(script, /addEventListener\('submit'/);
  assert.match(script, /history\.replaceState/);
  assert.doesNotMatch(script, /innerHTML|\.submit\(|requestSubmit|console|localStorage/);
});
