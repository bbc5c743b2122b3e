import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyIn, serverForm } from './server-form.ts';

const asked = {
  id: 'q',
  message: 'Sign in <b>now</b>.',
  schema: {},
  expires_at: '2026-01-01T10:05:00.000Z',
};
const link = { url: 'https://pay.example/a?b=1&c="2"', host: 'pay.example' };

test('a page that a server asks to open is a link with its host, opened by its reader alone', () => {
  const page = serverForm({ ...asked, link }, null).html;
  assert.match(page, /on <strong><bdi><code>pay\.example<\/code>/);
  assert.match(
    page,
    /<a class="button" href="https:\/\/pay\.example\/a\?b=1&amp;c=&quot;2&quot;" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">/,
  );
  assert.match(page, /Sign in &lt;b&gt;now/);
  assert.doesNotMatch(page, /<iframe|<img|<script|http-equiv|<input [^>]*name="field\./);
  assert.match(page, /name="action" value="accept".*name="action" value="decline"/s);
});

test('its answer has no fields', () => {
  const said = (action: string) => replyIn(new URLSearchParams({ action, 'field.name': 'Ada' }), { ...asked, link });
  assert.deepEqual([said('accept'), said('decline')], [{ action: 'accept', content: {} }, { action: 'decline' }]);
});
