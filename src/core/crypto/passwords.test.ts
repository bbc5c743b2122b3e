import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { createPasswords } from './passwords.ts';

const cheap = { memory: 64, passes: 1, parallelism: 1 };

test('a password hash contains its parameters, differs each time, and matches only its own password', async () => {
  const { hash, verify } = createPasswords();
  const stored = await hash('correct horse', OWN_SHARE);
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(stored, await hash('correct horse', OWN_SHARE));
  assert.deepEqual(await verify('correct horse', stored, OWN_SHARE), { matches: true, outdated: false });
  assert.deepEqual(await verify('correct horsf', stored, OWN_SHARE), { matches: false, outdated: false });
});

test('a password hash with other parameters verifies and is reported as outdated', async () => {
  const { hash, verify } = createPasswords();
  const old = await createPasswords({ cost: cheap }).hash('correct horse', OWN_SHARE);
  assert.deepEqual(await verify('correct horse', old, OWN_SHARE), { matches: true, outdated: true });
  assert.deepEqual(await verify('correct horse', await hash('correct horse', OWN_SHARE), OWN_SHARE), {
    matches: true,
    outdated: false,
  });
});

test('a password hash of the Argon2 reference implementation verifies', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  const { verify } = createPasswords();
  assert.equal((await verify('password', stored, OWN_SHARE)).matches, true);
  assert.equal((await verify('Password', stored, OWN_SHARE)).matches, false);
});

test('no password matches an account that does not exist', async () => {
  const { verify } = createPasswords({ cost: cheap });
  for (const password of ['', 'null', 'correct horse'])
    assert.equal((await verify(password, null, OWN_SHARE)).matches, false);
});

test('503: hashing refuses requests beyond its queue with Retry-After, and completes the queued ones', async () => {
  const { hash } = createPasswords({ cost: cheap, at_once: 1, max_waiting: 2 });
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => hash('correct horse', OWN_SHARE)));
  assert.deepEqual(
    all.map((outcome) => outcome.status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
  );
  const { reason } = all[3] as PromiseRejectedResult;
  assert.ok(reason instanceof Problem);
  assert.deepEqual([reason.code, reason.status, reason.headers['retry-after']], ['http.unavailable', 503, '5']);
  await hash('and again', OWN_SHARE);
});

test("one client's password check does not wait behind many of another client", async () => {
  const { hash } = createPasswords({ cost: cheap, at_once: 1 });
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const flood = Array.from({ length: 15 }, () => hash('guess', { user_id: null, address: '203.0.113.9' }));
  const all = flood.map((one) => one.then(note('flood')));
  await hash('correct horse', { user_id: null, address: '198.51.100.1' }).then(note('victim'));
  assert.ok(ended.length <= 3, ended.join());
  await Promise.all(all);
});

test('a malformed stored hash throws instead of counting as a wrong password', async () => {
  await assert.rejects(
    createPasswords().verify('correct horse', '$argon2id$v=19$m=1', OWN_SHARE),
    /malformed password hash/,
  );
});
