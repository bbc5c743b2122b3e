import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';
import { deviceKey } from '#test/wallet-keys.ts';

eachDatabase('POST /api/auth/device-keys/{id}/confirm', (open) => {
  test('200: another device or a wallet activates a waiting key; not the key itself, nor a stolen session', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    const second = deviceKey();
    const id = `${(await stand.register(holder, second)).body.id}`;
    const confirm = `POST ${KEYS}/${id}/confirm`;
    const bare = await stand.ask('POST', `${KEYS}/${id}/confirm`, { token: holder.token });
    assert.deepEqual([bare.status, bare.body.code], [401, 'auth.signature_required']);
    assert.equal((await stand.signed(holder, second, confirm)).body.reason, 'not_linked');
    const done = await stand.signed(holder, device, confirm);
    assert.deepEqual([done.status, done.body.status], [200, 'active']);
    const wallet = await stand.addWallet(holder);
    const third = `${(await stand.register(holder, deviceKey())).body.id}`;
    assert.equal((await stand.signed(holder, wallet, `POST ${KEYS}/${third}/confirm`)).body.status, 'active');
    const entries = await stand.database.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
    assert.deepEqual(
      entries.filter(({ action }) => action === 'auth.add_device').map(({ detail }) => JSON.parse(`${detail}`).how),
      ['first', 'requested', 'confirmed', 'requested', 'confirmed'],
    );
  });

  test('404: a key of another account', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    const other = await stand.withDevice();
    const theirs = `${(await stand.register(other.holder, deviceKey())).body.id}`;
    const { status, body } = await stand.signed(holder, device, `POST ${KEYS}/${theirs}/confirm`);
    assert.deepEqual([status, body.reason], [404, 'device_key']);
  });
});
