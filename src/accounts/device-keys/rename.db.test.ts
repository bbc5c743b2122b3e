import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';

eachDatabase('PATCH /api/auth/device-keys/{id}', (open) => {
  test('200: the new name is listed; 401: the signature was for another name; 404: an unknown key', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device, id } = await stand.withDevice();
    const path = `${KEYS}/${id}`;
    assert.equal((await stand.signed(holder, device, `PATCH ${path}`, { name: 'Desk' })).body.name, 'Desk');
    const { challenge_id = '', signature = '' } = await stand.proof(holder, device, `PATCH ${path}`, { name: 'Phone' });
    const headers = { 'x-challenge-id': challenge_id, 'x-wallet-signature': signature };
    const other = await stand.ask('PATCH', path, { token: holder.token, headers, body: { name: 'Other' } });
    assert.deepEqual([other.status, other.body.reason], [401, 'purpose']);
    const unknown = `PATCH ${KEYS}/${crypto.randomUUID()}`;
    assert.equal((await stand.signed(holder, device, unknown, { name: 'x' })).status, 404);
  });
});
