import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { type DeviceKeysStand, deviceKeysStand, type Holder, KEYS, type TestDevice } from '#test/device-keys-stand.ts';
import { deviceKey } from '#test/wallet-keys.ts';

const DAY_MS = 86_400_000;

async function finish(stand: DeviceKeysStand, holder: Holder, device: TestDevice, id: string) {
  const path = `${KEYS}/${id}/finish`;
  return stand.ask('POST', path, { token: holder.token, body: await stand.proof(holder, device, `POST ${path}`) });
}

eachDatabase('POST /api/auth/device-keys/{id}/finish', (open) => {
  test('200: after the waiting time, a new device replaces the lost ones and ends all other sessions', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    const later = await stand.signInAgain(holder);
    const second = deviceKey();
    const id = `${(await stand.register(later, second)).body.id}`;
    const early = await finish(stand, later, second, id);
    assert.deepEqual([early.status, early.body.reason], [409, 'device_key_waits']);
    stand.clock.ms += 3 * DAY_MS - 1;
    assert.equal((await finish(stand, await stand.signInAgain(holder), second, id)).body.reason, 'device_key_waits');
    stand.clock.ms += 1;
    const stale = await stand.signInAgain(holder);
    const now = await stand.signInAgain(holder);
    assert.equal((await finish(stand, now, device, id)).status, 401, 'only the new key itself');
    const { status, body } = await finish(stand, now, second, id);
    assert.deepEqual([status, body.status], [200, 'active']);
    assert.equal((await stand.ask('GET', KEYS, { token: stale.token })).status, 401);
    const { items } = (await stand.ask<{ items: { id: string }[] }>('GET', KEYS, { token: now.token })).body;
    assert.deepEqual(
      items.map((item) => item.id),
      [id],
    );
    assert.equal((await stand.signed(now, device, `DELETE ${KEYS}/${id}`)).body.reason, 'not_linked');
    const mails = await stand.deliver();
    assert.match(mails.at(-1)?.text ?? '', /All\s+other devices were removed/);
  });

  test('404: thirty days after its waiting time, a key that nobody finished no longer replaces the others', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device } = await stand.withDevice();
    const second = deviceKey();
    const id = `${(await stand.register(holder, second)).body.id}`;
    stand.clock.ms += 33 * DAY_MS;
    const late = await stand.signInAgain(holder);
    assert.equal((await finish(stand, late, second, id)).body.reason, 'device_key');
    const revoked = await stand.signed(late, device, `DELETE ${KEYS}/${id}`);
    assert.equal(revoked.status, 200, 'the other key and the session still work');
  });

  test('401 and 409: not without a recent sign-in, and not if the account got a wallet meanwhile', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder } = await stand.withDevice();
    const second = deviceKey();
    const id = `${(await stand.register(holder, second)).body.id}`;
    const old = await stand.signInAgain(holder);
    stand.clock.ms += 3 * DAY_MS;
    const fresh = await stand.signInAgain(holder);
    await stand.addWallet(holder);
    const waits = await finish(stand, fresh, second, id);
    assert.deepEqual([waits.status, waits.body.reason], [409, 'device_key_waits']);
    stand.clock.ms += 600_001;
    assert.equal((await finish(stand, fresh, second, id)).body.code, 'auth.sign_in_required');
    assert.equal((await stand.ask('GET', KEYS, { token: old.token })).status, 401, 'tokens last a day');
  });
});
