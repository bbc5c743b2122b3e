import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropToken, isFromOurPage, keepToken, passDoor, REFUSED, readToken } from './session.ts';

const PUBLIC = 'https://cap.example';
const cookie = '__Host-capstan-token=aa.bb.cc';
const ours = { host: 'cap.example', cookie, 'sec-fetch-site': 'same-origin' };

test('the token cookie is limited to this host and https, and hidden from scripts', () => {
  const [set, ...more] = keepToken('aa.bb.cc', 60, { host: 'cap.example' }, PUBLIC);
  assert.equal(set, '__Host-capstan-token=aa.bb.cc; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax');
  assert.deepEqual(more, []);
  assert.equal(readToken({ host: 'cap.example', cookie: `x=1; ${cookie}` }, PUBLIC), 'aa.bb.cc');
});

test('plain http on loopback uses another cookie name, which is ignored elsewhere', () => {
  const host = 'localhost:8080';
  const [set] = keepToken('aa.bb.cc', 60, { host }, null);
  assert.equal(set, 'capstan-token=aa.bb.cc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  assert.equal(readToken({ host, cookie: 'capstan-token=aa.bb.cc' }, null), 'aa.bb.cc');
  assert.equal(readToken({ host, cookie }, null), 'aa.bb.cc', 'what signing in elsewhere on these pages set');
  for (const [elsewhere, publicUrl] of [
    ['cap.example', null],
    ['localhost.cap.example', null],
    [host, PUBLIC],
    [host, 'http://cap.example'],
  ] as const)
    assert.equal(readToken({ host: elsewhere, cookie: 'capstan-token=aa.bb.cc' }, publicUrl), null, elsewhere);
  assert.equal(dropToken({ host }, null).length, 2);
});

test('a cookie that is not a token is ignored', () => {
  for (const value of ['', 'a b', 'a\r\nb', '<x>', 'a'.repeat(5_000)])
    assert.equal(readToken({ host: 'cap.example', cookie: `__Host-capstan-token=${value}` }, PUBLIC), null);
});

test('a request counts as sent by our page only if the browser says so', () => {
  const host = 'cap.example';
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal(isFromOurPage({ host, 'sec-fetch-site': site, origin: PUBLIC }, PUBLIC), false, site);
  assert.equal(isFromOurPage({ host, origin: PUBLIC }, PUBLIC), true);
  for (const origin of ['https://evil.example', 'http://cap.example', 'null', undefined])
    assert.equal(isFromOurPage({ host, origin }, PUBLIC), false, `${origin}`);
  assert.equal(isFromOurPage({ host: 'localhost:8080', origin: 'http://localhost:8080' }, null), true);
});

test('the cookie of our pages becomes a bearer token, and no cookie is passed on', () => {
  const request = { url: '/-/api/auth/session?a=b', headers: { ...ours, authorization: 'Bearer other' } };
  assert.equal(passDoor(request, PUBLIC), '/api/auth/session?a=b');
  assert.equal(request.headers.authorization, 'Bearer aa.bb.cc');
  assert.equal(request.headers.cookie, undefined);
});

test('requests from other sites get no token, and other paths do not change', () => {
  const cross = { url: '/-/api/auth/session', headers: { ...ours, 'sec-fetch-site': 'cross-site' } };
  assert.equal(passDoor(cross, PUBLIC), REFUSED);
  const plain = { url: '/api/auth/session', headers: { ...ours } as Record<string, string> };
  assert.equal(passDoor(plain, PUBLIC), '/api/auth/session');
  assert.equal(plain.headers.authorization, undefined);
});
