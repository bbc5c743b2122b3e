import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownCookie, readCookie } from './page-cookie.ts';

const FORM = /^\w+$/;

test('cookies have __Host- and Secure, except over http on loopback, where Safari rejects them', () => {
  for (const base of ['http://127.0.0.1:8080', 'http://localhost:3000', 'http://[::1]', 'http://127.9.9.9'])
    assert.equal(ownCookie(base, 'name', 'v', 60), 'name=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax', base);
  for (const base of [
    ...['https://capstan.example', 'https://localhost', 'http://10.0.0.1:8080', 'http://127.0.0.1.evil.example'],
    ...['http://localhost.evil.example', 'http://capstan.example'],
  ])
    assert.equal(ownCookie(base, 'name', 'v', null), '__Host-name=v; Path=/; Secure; HttpOnly; SameSite=Lax', base);
});

test('only the cookie name that the service sets is read', () => {
  const headers = { cookie: 'name=plain; __Host-name=host' };
  assert.equal(readCookie('https://capstan.example', headers, 'name', FORM), 'host');
  assert.equal(readCookie('http://localhost:8080', headers, 'name', FORM), 'plain');
  assert.equal(readCookie('https://capstan.example', { cookie: 'name=plain' }, 'name', FORM), '');
  assert.equal(readCookie('https://capstan.example', { cookie: '__Host-name=<b>' }, 'name', FORM), '');
});
