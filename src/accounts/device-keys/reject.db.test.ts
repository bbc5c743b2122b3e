import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';
import { deviceKey } from '#test/wallet-keys.ts';

eachDatabase('POST /api/auth/device-keys/{id}/reject', (open) => {
  test('200: any session rejects a waiting key; 404: an active key, which needs a signature', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, id } = await stand.withDevice();
    const waiting = `${(await stand.register(holder, deviceKey())).body.id}`;
    const reject = (key: string) => stand.ask('POST', `${KEYS}/${key}/reject`, { token: holder.token });
    assert.equal((await reject(waiting)).status, 200);
    assert.deepEqual([(await reject(waiting)).status, (await reject(id)).status], [404, 404]);
    assert.equal((await stand.ask('GET', KEYS, { token: holder.token })).body.total_count, 1);
  });
});
