import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientBucket, networksAround } from './client-bucket.ts';

for (const [address, bucket] of [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', 'unknown'],
  ['no address', 'unknown'],
] as const)
  test(`a client at ${address || 'an empty address'} is limited as ${bucket}`, () =>
    assert.equal(clientBucket(address), bucket));

for (const [address, networks] of [
  ['192.0.2.7', ['192.0.2.0/24', '192.0.0.0/16']],
  ['::ffff:192.0.2.7', ['192.0.2.0/24', '192.0.0.0/16']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1::/48', '2001:db8::/32']],
  ['no address', []],
] as const)
  test(`the networks around ${address} are ${networks.join(' and ') || 'none'}`, () =>
    assert.deepEqual(networksAround(address), networks));
