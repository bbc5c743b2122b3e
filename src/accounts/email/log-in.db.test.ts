import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswords } from '#core/crypto/passwords.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { PASSWORD_COST } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

eachDatabase('POST /api/auth/email/login', (open) => {
  test('200: accepts the address in any case and the password in any Unicode form', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org', 'cafe\u0301 au lait');
    const { status, body } = await stand.login(' Ada@EXAMPLE.org ', 'café au lait');
    assert.equal(status, 200);
    assert.equal((body as { token_type?: string }).token_type, 'Bearer');
  });

  test('401: an unknown address and a wrong password get the same response', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const known = await stand.login('ada@example.org', OTHER_PASSWORD);
    const unknown = await stand.login('eve@example.org', OTHER_PASSWORD);
    const shown = ({ status, body, headers }: typeof known) => {
      const { request_id: _, ...rest } = body as Record<string, unknown>;
      return [status, rest, [...headers.keys()].sort()];
    };
    assert.equal(known.body.code, 'auth.credentials_invalid');
    assert.deepEqual(shown(unknown), shown(known));
  });

  test('400: a huge password is rejected before hashing and does not count as a failure', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    for (let times = 0; times < 12; times++) {
      const { status, body } = await stand.login('ada@example.org', 'x'.repeat(500_000));
      assert.deepEqual([status, body.code, body.reason], [400, 'http.invalid', 'input']);
    }
    assert.equal((await stand.login('ada@example.org')).status, 200, 'and does not count as a failure');
  });

  test('429: after ten failures an hour, for known and unknown addresses, even with the right password', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    for (let times = 0; times < 3; times++) await stand.login('ada@example.org');
    for (const email of ['ada@example.org', 'eve@example.org']) {
      const answers = await Promise.all(Array.from({ length: 14 }, () => stand.login(email, OTHER_PASSWORD)));
      assert.equal(answers.filter(({ status }) => status === 401).length, 10, email);
      const { status, body, headers } = await stand.login(email);
      assert.deepEqual([status, body.code, body.reason], [429, 'auth.limit_exceeded', 'failed_logins']);
      assert.ok(Number(headers.get('retry-after')) > 0);
    }
    stand.clock.ms += 2 * 3_600_000;
    assert.equal((await stand.login('ada@example.org')).status, 200);
  });

  test('200: a known device can sign in while failures of others cause 429', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const remembered = await stand.post('/login', {
      email: 'ada@example.org',
      password: PASSWORD,
      remember_device: true,
    });
    const { device_token, access_token } = remembered.body as unknown as Record<string, string>;
    assert.match(device_token ?? '', /^cdv_[\w-]{43}$/);
    const login = (password: string, device = device_token, email = 'ada@example.org') =>
      stand.post('/login', { email, password, device_token: device, remember_device: true });
    for (let times = 0; times < 12; times++) await stand.login('ada@example.org', OTHER_PASSWORD);
    assert.equal((await stand.login('ada@example.org')).status, 429);
    const known = await login(PASSWORD);
    assert.deepEqual([known.status, 'device_token' in known.body], [200, false]);
    // A device of another account, or an invalid one, does not count as known.
    await stand.open('eve@example.org');
    const eves = await stand.post('/login', { email: 'eve@example.org', password: PASSWORD, remember_device: true });
    const { device_token: other } = eves.body as unknown as Record<string, string>;
    for (const device of [other, `cdv_${'A'.repeat(43)}`, 'x'])
      assert.equal((await login(PASSWORD, device)).status, 429);
    // A stolen device gets no more attempts than anyone else, and uses up none of theirs.
    for (let times = 0; times < 10; times++) assert.equal((await login(OTHER_PASSWORD)).status, 401);
    assert.equal((await login(PASSWORD)).status, 429);
    const second = await stand.post('/login', { email: 'eve@example.org', password: PASSWORD, device_token: other });
    assert.equal(second.status, 200);
    const { body } = await stand.ask('GET', '/api/auth/devices', { token: access_token ?? '' });
    const { items } = body as unknown as { items: { id: string }[] };
    assert.equal(items.length, 1);
    assert.doesNotMatch(JSON.stringify(items), /cdv_|token/);
  });

  test('a password hash with outdated parameters is replaced at the next sign-in', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    await stand.open('ada@example.org');
    const old = await createPasswords({ cost: { memory: 64, passes: 1, parallelism: 1 } }).hash(PASSWORD, OWN_SHARE);
    await db.updateTable('emails').set({ password_hash: old }).execute();
    assert.equal((await stand.login('ada@example.org', OTHER_PASSWORD)).status, 401);
    assert.equal((await db.selectFrom('emails').selectAll().executeTakeFirstOrThrow()).password_hash, old);
    assert.equal((await stand.login('ada@example.org')).status, 200);
    const { password_hash } = await db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
    assert.ok(password_hash?.startsWith(`$argon2id$v=19$m=${PASSWORD_COST.memory},t=1,p=1$`));
    assert.equal((await stand.login('ada@example.org')).status, 200);
  });
});
