import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress, checkUrl, reachOf } from './address.ts';

const table: Record<string, string[]> = {
  public: ['8.8.8.8', '1.1.1.1', '134744072', '0x08080808', '2606:4700:4700::1111', '[2a00:1450:4001:80b::200e]'],
  loopback: [
    '127.0.0.1',
    '127.255.255.254',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ],
  special: [
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '0300.0250.0.1',
    '192.168.257',
    '999.1.1.1',
    '::',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::a00:1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:a00:1::',
    '3fff::1',
    '3ffe::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    'fec0::1',
    'ff02::1',
    '2620:4f:8000::1',
    '4000::1',
    'not:an:address',
    '1.2.3.4.5',
  ],
  name: ['example.com', 'localhost', 'a.0x7f.example', 'xn--e1afmkfd.example'],
};

for (const [reach, hosts] of Object.entries(table)) {
  for (const host of hosts) test(`${host} is ${reach}`, () => assert.equal(reachOf(host), reach));
}

test('loopback is allowed only in development, and plain http only to loopback', () => {
  const code = { code: 'outbound.failed', kind: 'upstream_failed' };
  checkAddress({ allow_loopback: true }, 'http:', '127.0.0.1');
  checkAddress({ allow_loopback: false }, 'https:', '8.8.8.8');
  assert.throws(() => checkAddress({ allow_loopback: false }, 'https:', '127.0.0.1'), code);
  assert.throws(() => checkAddress({ allow_loopback: true }, 'http:', '8.8.8.8'), code);
  assert.throws(() => checkAddress({ allow_loopback: true }, 'https:', '10.0.0.1'), code);
});

test('URLs are refused by scheme, user info and literal host', () => {
  const refused = (url: string, allow_loopback = false) =>
    assert.throws(() => checkUrl({ allow_loopback }, new URL(url)), { code: 'outbound.failed', reason: 'blocked' });
  for (const url of ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:,x']) refused(url);
  for (const url of ['https://me:secret@example.com/', 'https://2130706433/', 'https://0x7f.1/', 'https://[::]/']) {
    refused(url);
  }
  refused('http://10.0.0.1/', true);
  checkUrl({ allow_loopback: false }, new URL('https://example.com/'));
  checkUrl({ allow_loopback: true }, new URL('http://localhost:1234/'));
});
