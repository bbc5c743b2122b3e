import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAddresses } from './name-addresses.ts';
import { tokenBucket } from './token-bucket.ts';
import { useLedger } from './use-ledger.ts';

test('keeps a row per host, port and reason, and merges refusals beyond the limit into one row', () => {
  const ledger = useLedger(3);
  const row = ledger.reached('a.test', 443);
  row.bytes_in += 5;
  ledger.reached('a.test', 443);
  for (const host of ['b.test', 'c.test', 'd.test', 'e.test', 'b.test']) ledger.refused(host, 0, 'not_granted');
  ledger.reached('z.test', 443);
  const rows = ledger.rows().map(({ host, outcome, reason, connections, bytes_in }) => ({
    host,
    outcome,
    reason,
    connections,
    bytes_in,
  }));
  assert.deepEqual(rows, [
    { host: 'a.test', outcome: 'reached', reason: null, connections: 2, bytes_in: 5 },
    { host: 'z.test', outcome: 'reached', reason: null, connections: 1, bytes_in: 0 },
    { host: 'b.test', outcome: 'refused', reason: 'not_granted', connections: 2, bytes_in: 0 },
    { host: 'c.test', outcome: 'refused', reason: 'not_granted', connections: 1, bytes_in: 0 },
    { host: '*', outcome: 'refused', reason: 'too_many', connections: 2, bytes_in: 0 },
  ]);
  Object.assign(ledger.rows()[0] as object, { host: 'changed' });
  assert.equal(ledger.rows()[0]?.host, 'a.test');
});

test('assigns each name a distinct loopback address that maps back to the name', () => {
  const names = Array.from({ length: 600 }, (_, index) => `n${index}.test`);
  const addresses = nameAddresses(names.slice(0, 10), 1_000);
  const found = names.map((name) => addresses.addressOf(name) as string);
  assert.equal(new Set(found).size, 600);
  for (const [index, address] of found.entries()) {
    assert.match(address, /^127\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/);
    assert.equal(addresses.nameAt(address), names[index]);
  }
  assert.equal(addresses.nameAt('127.0.0.1'), null);
});

test('the token bucket allows a burst, and refills as time passes', () => {
  let now = 0;
  const take = tokenBucket(2, () => now);
  const taken = (): number => Array.from({ length: 100 }, take).filter(Boolean).length;
  assert.equal(taken(), 20);
  assert.equal(taken(), 0);
  now = 1_500;
  assert.equal(taken(), 3);
  now = 1_000_000;
  assert.equal(taken(), 20);
});
