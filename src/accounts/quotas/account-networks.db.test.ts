import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { listNetworks, MOST_NETWORKS, noteNetwork } from './account-networks.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

eachDatabase('networks of an account', (open) => {
  test('each network of an account is stored once, without the exact address', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', at(0));
    await noteNetwork(db, id, '203.0.113.9', at(1));
    await noteNetwork(db, id, '203.0.113.200', at(2));
    await noteNetwork(db, id, '2001:db8:1:2::3', at(3));
    await noteNetwork(db, id, 'unknown', at(4));
    assert.deepEqual(await listNetworks(db, id), [
      { network: '203.0.113.0/24', first_seen_at: at(1), last_seen_at: at(2) },
      { network: '2001:db8:1::/48', first_seen_at: at(3), last_seen_at: at(3) },
    ]);
  });

  test('of many networks, the first and the newest ones are kept', async () => {
    const { db } = await open();
    const { id } = await createUser(db, 'Ada', at(0));
    for (let n = 0; n < MOST_NETWORKS + 5; n++) await noteNetwork(db, id, `10.0.${n}.1`, at(n + 1));
    const networks = (await listNetworks(db, id)).map(({ network }) => network);
    assert.equal(networks.length, MOST_NETWORKS);
    assert.deepEqual([networks[0], networks[1], networks.at(-1)], ['10.0.0.0/24', '10.0.6.0/24', '10.0.36.0/24']);
  });
});
