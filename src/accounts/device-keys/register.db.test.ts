import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';
import { deviceKey, solanaWallet } from '#test/wallet-keys.ts';
import { MAX_DEVICE_KEYS } from './device-keys.ts';

eachDatabase('POST /api/auth/device-keys', (open) => {
  test('201: the first key of an account without a wallet confirms requests at once, and the owner is notified', async () => {
    const stand = await deviceKeysStand(await open());
    const [holder, device] = [await stand.newHolder(), deviceKey()];
    const before = await stand.ask('DELETE', `${KEYS}/${crypto.randomUUID()}`, { token: holder.token });
    assert.deepEqual([before.status, before.body.code, before.body.reason], [403, 'auth.wallet_required', 'none']);
    const { status, body } = await stand.register(holder, device, 'Laptop');
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(
      [body.status, body.name, body.address, body.usable_from],
      ['active', 'Laptop', device.address, null],
    );
    const mails = await stand.deliver();
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [[holder.email, 'New device on your Capstan account']],
    );
    const renamed = await stand.signed(holder, device, `PATCH ${KEYS}/${body.id}`, { name: 'Desk' });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Desk']);
  });

  test('201: any further key waits, and confirms nothing until then', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, id } = await stand.withDevice();
    await stand.deliver();
    const second = deviceKey();
    const { status, body } = await stand.register(holder, second, 'Phone');
    assert.deepEqual([status, body.status, body.usable_from], [201, 'waiting', '2026-03-04T00:00:00.000Z']);
    const refused = await stand.signed(holder, second, `DELETE ${KEYS}/${id}`);
    assert.deepEqual([refused.status, refused.body.reason], [403, 'not_linked']);
    const [mail] = await stand.deliver();
    assert.match(mail?.text ?? '', /from 2026-03-04T00:00:00.000Z on[\s\S]*reject it there now/);
    assert.doesNotMatch(mail?.text ?? '', /Phone/, 'nothing of the request is in the email');
  });

  test('201: with a wallet, a key waits for its confirmation and never becomes usable by waiting', async () => {
    const stand = await deviceKeysStand(await open());
    const holder = await stand.newHolder();
    await stand.addWallet(holder);
    const { body } = await stand.register(holder, deviceKey());
    assert.deepEqual([body.status, body.usable_from], ['waiting', null]);
  });

  test('401: a signature of another key or for another name; 403: an old sign-in', async () => {
    const stand = await deviceKeysStand(await open());
    const [holder, device] = [await stand.newHolder(), deviceKey()];
    const fields = { name: 'Laptop', wallet_address: device.address };
    const other = deviceKey();
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: 'Thief', ...(await stand.proof(holder, device, `POST ${KEYS}`, fields)) }, 'purpose'],
      [
        {
          name: 'Laptop',
          ...(await stand.proof(holder, device, `POST ${KEYS}`, fields)),
          wallet_address: other.address,
        },
        'purpose',
      ],
      [
        { name: 'Laptop', ...(await stand.proof(holder, { ...device, sign: other.sign }, `POST ${KEYS}`, fields)) },
        'signature',
      ],
    ];
    for (const [body, reason] of wrong) {
      const answer = await stand.ask('POST', KEYS, { token: holder.token, body });
      assert.deepEqual([answer.status, answer.body.reason], [401, reason]);
    }
    const wallet = solanaWallet();
    const asWallet = { name: 'x', wallet_address: wallet.address };
    const body = { name: 'x', ...(await stand.proof(holder, wallet, `POST ${KEYS}`, asWallet)) };
    assert.equal(
      (await stand.ask('POST', KEYS, { token: holder.token, body })).status,
      401,
      'a wallet is no device key',
    );
    stand.clock.ms += 600_001;
    const late = await stand.register(holder, device);
    assert.deepEqual([late.status, late.body.code], [403, 'auth.sign_in_required']);
    assert.equal((await stand.ask('GET', KEYS, { token: holder.token })).body.total_count, 0);
  });

  test('409: a key that is registered, for whichever account, and the 21st key', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    for (const each of [holder, await stand.newHolder()]) {
      const { status, body } = await stand.register(each, device);
      assert.deepEqual([status, body.reason], [409, 'device_key_taken']);
    }
    for (let count = 1; count < MAX_DEVICE_KEYS; count++)
      assert.equal((await stand.register(holder, deviceKey())).status, 201);
    const { status, body } = await stand.register(holder, deviceKey());
    assert.deepEqual([status, body.reason], [409, 'device_keys']);
  });

  test('a device key neither signs in nor is linked as a wallet', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    const { wallet_type, address: wallet_address } = device;
    const asked = await stand.ask('POST', '/api/wallets/challenge', { body: { wallet_type, wallet_address } });
    assert.deepEqual([asked.status, asked.body.code], [400, 'http.invalid']);
    const link = await stand.proof(holder, device, 'POST /api/auth/wallets');
    for (const path of ['/api/auth/wallets', '/api/wallets/verify']) {
      const headers = {};
      const answer = await stand.ask('POST', path, { token: holder.token, body: link, headers });
      assert.ok(answer.status === 400 || answer.status === 401, `${path}: ${answer.status}`);
    }
    const rows = await stand.database.db.selectFrom('wallets').selectAll().execute();
    assert.deepEqual(rows, []);
  });
});
