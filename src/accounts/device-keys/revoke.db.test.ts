import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';
import { deviceKey } from '#test/wallet-keys.ts';

eachDatabase('DELETE /api/auth/device-keys/{id}', (open) => {
  test('200: a revoked key confirms nothing; 401: a session alone revokes none', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device, id } = await stand.withDevice();
    const second = deviceKey();
    const other = `${(await stand.register(holder, second)).body.id}`;
    await stand.signed(holder, device, `POST ${KEYS}/${other}/confirm`);
    assert.equal((await stand.ask('DELETE', `${KEYS}/${id}`, { token: holder.token })).status, 401);
    assert.equal((await stand.signed(holder, second, `DELETE ${KEYS}/${id}`)).status, 200);
    assert.equal((await stand.signed(holder, device, `DELETE ${KEYS}/${other}`)).body.reason, 'not_linked');
    const entry = await stand.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'auth.revoke_device')
      .executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(`${entry.detail}`), { id, how: 'revoked' });
  });
});
