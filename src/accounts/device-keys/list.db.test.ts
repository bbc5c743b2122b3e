import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { deviceKeysStand, KEYS } from '#test/device-keys-stand.ts';
import { deviceKey } from '#test/wallet-keys.ts';

eachDatabase('GET /api/auth/device-keys', (open) => {
  test('200: own keys, oldest first, with their last use; requests that nobody answered are gone after a month', async () => {
    const stand = await deviceKeysStand(await open());
    const { holder, device, id } = await stand.withDevice();
    await stand.withDevice();
    stand.clock.ms += 1_000;
    await stand.register(holder, deviceKey(), 'Phone');
    await stand.signed(holder, device, `PATCH ${KEYS}/${id}`, { name: 'Desk' });
    const list = async (token: string) =>
      (await stand.ask<{ items: Record<string, unknown>[] }>('GET', KEYS, { token })).body.items;
    const items = await list(holder.token);
    assert.deepEqual(
      items.map(({ name, status, last_used_at }) => [name, status, last_used_at]),
      [
        ['Desk', 'active', '2026-03-01T00:00:01.000Z'],
        ['Phone', 'waiting', null],
      ],
    );
    stand.clock.ms += 31 * 86_400_000;
    const again = await stand.signInAgain(holder);
    await stand.register(again, deviceKey(), 'Tablet');
    assert.deepEqual(
      (await list(again.token)).map(({ name }) => name),
      ['Desk', 'Tablet'],
    );
  });
});
