import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountIn } from './account.ts';

const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

test('an account is named by the first usable claim of its ID token', () => {
  assert.equal(accountIn(jwt({ sub: '1', email: 'ada@example.org', name: 'Ada' })), 'ada@example.org');
  assert.equal(accountIn(jwt({ email: ' ', preferred_username: 'ada' })), 'ada');
  assert.equal(accountIn(jwt({ email: 'x'.repeat(201), name: 'Ada' })), 'Ada');
});

test('hidden characters, other types and tokens that are no JWT name nobody', () => {
  for (const email of ['a\u202eb@example.org', 'a\u0000', '\ud800', 7, null, ['a'], { a: 1 }])
    assert.equal(accountIn(jwt({ email })), undefined, JSON.stringify(email));
  for (const token of [undefined, '', 'opaque', 'a.b', 'a.!!.c', jwt(null), jwt('text'), jwt([1])])
    assert.equal(accountIn(token), undefined, `${token}`);
});
