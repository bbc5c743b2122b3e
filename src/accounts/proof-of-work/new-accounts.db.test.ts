import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { createNewAccounts } from './new-accounts.ts';

const HOUR_MS = 3_600_000;
const config = {
  proof_of_work_bits: null,
  limit: { name: 'new-accounts', count: 3, window_ms: HOUR_MS },
  network_limit: { name: 'new-accounts-network', count: 8, window_ms: HOUR_MS },
};
const clock = { now: () => Date.parse('2026-04-14T10:00:00.000Z') };

eachDatabase('new accounts', (open) => {
  const made = async (accounts: { count(address: string): Promise<void> }, addresses: readonly string[]) => {
    let count = 0;
    for (const address of addresses)
      await accounts.count(address).then(
        () => count++,
        (error: { code: string; reason?: string }) =>
          assert.deepEqual([error.code, error.reason], ['auth.limit_exceeded', 'new_accounts']),
      );
    return count;
  };

  test('429: an address or its network registers too many accounts', async () => {
    const { db } = await open();
    const accounts = createNewAccounts({ db, clock, production: true, config });
    const times = (address: string) => Array.from({ length: 6 }, () => address);
    assert.equal(await made(accounts, times('192.0.2.7')), 3);
    // Only the rest of the /24 limit. Requests refused for the network do not count against their address.
    const others = Array.from({ length: 20 }, (_, at) => `192.0.2.${at + 20}`);
    assert.equal(await made(accounts, others), 5);
    assert.equal(await made(accounts, times('198.51.100.9')), 3);
    // A customer controls a /64, and often a /48.
    const same64 = Array.from({ length: 9 }, (_, at) => `2001:db8:1:2::${at + 1}`);
    assert.equal(await made(accounts, same64), 3);
    const same48 = Array.from({ length: 20 }, (_, at) => `2001:db8:1:${at + 10}::1`);
    assert.equal(await made(accounts, same48), 5);
    await accounts.count('203.0.113.1');
    const refused = await accounts.count('192.0.2.7').catch((error) => error);
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });

  test('outside production, registrations are not limited and no proof is required', async () => {
    const { db } = await open();
    const accounts = createNewAccounts({ db, clock, production: false, config });
    assert.equal(
      await made(
        accounts,
        Array.from({ length: 12 }, () => '127.0.0.1'),
      ),
      12,
    );
    assert.deepEqual([accounts.bits, accounts.networkFor('127.0.0.1')], [0, null]);
    const production = createNewAccounts({ db, clock, production: true, config });
    assert.deepEqual([production.bits, production.networkFor('192.0.2.7')], [20, '192.0.2.0/24']);
    const off = createNewAccounts({ db, clock, production: true, config: { ...config, proof_of_work_bits: 0 } });
    assert.equal(off.networkFor('192.0.2.7'), null);
  });
});
