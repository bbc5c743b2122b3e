import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUrl } from './address.ts';
import { guardedLookup, type Resolve } from './connect.ts';
import { createOutbound } from './outbound.ts';

/** The whole guard in production: literal addresses, names by what they resolve to, schemes. */

const PUBLIC = { allow_loopback: false };
const V4 = '93.184.216.34';

/** What each name resolves to; a list is one answer. */
const NAMES: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'private.example': ['10.1.2.3'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'unique-local.example': ['fd12:3456::1'],
  'link-local.example': ['fe80::1'],
  'mixed.example': [V4, '192.168.1.1'],
  'mixed6.example': ['2606:2800:220:1::1', 'fc00::1'],
  'any.example': ['0.0.0.0'],
  'good.example': [V4],
  'good6.example': ['2606:2800:220:1:248:1893:25c8:1946'],
  'both.example': [V4, '2606:2800:220:1::2'],
  'xn--bcher-kva.example': ['198.41.0.4'],
  'deep.sub.domain.example': ['8.8.8.8'],
  'long-name-of-a-server-somewhere.example': ['1.1.1.1'],
};

const HOSTILE = [
  // Every notation of loopback.
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.1',
  '127.0.0.1.',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '0.0.0.0',
  '0',
  '１２７.0.0.1',
  // IPv4 inside IPv6: mapped, compatible, NAT64, 6to4, Teredo.
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[::ffff:0:127.0.0.1]',
  // Private and shared networks.
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '100.64.0.1',
  '012.0.0.1',
  '0xa000001',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  // Link-local addresses and cloud metadata services.
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '169.254.170.2',
  '[fe80::1]',
  '[fe80::a9fe:a9fe]',
  // Other special ranges.
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '198.18.0.1',
  '192.0.0.8',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[3fff::1]',
  '[2001:10::1]',
  '[5f00::1]',
  '0.1.2.3',
  '192.88.99.1',
].map((host) => `https://${host}/mcp`);

const HOSTILE_NAMES = [
  'loopback',
  'loopback6',
  'private',
  'metadata',
  'mapped',
  'unique-local',
  'link-local',
  'mixed',
  'mixed6',
  'any',
].map((name) => `https://${name}.example/mcp`);

const HOSTILE_FORMS = [
  ...['http://good.example/', 'http://93.184.216.34/', 'ftp://good.example/', 'file:///etc/passwd'],
  'https://user:pass@good.example/',
  'https://good.example@127.0.0.1/',
  'gopher://good.example/',
  'data:text/html,x',
];

const GOOD = [
  'good.example',
  'good6.example',
  'both.example',
  'bücher.example',
  'deep.sub.domain.example',
  'GOOD.example',
  'long-name-of-a-server-somewhere.example',
  'good.example:8443',
  '93.184.216.34',
  '1.1.1.1',
  '8.8.8.8:443',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '128.0.0.1',
  '223.255.255.254',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001::200e]',
].map((host) => `https://${host}/mcp`);

const resolve: Resolve = async (name) =>
  (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test(`all ${HOSTILE.length + HOSTILE_NAMES.length + HOSTILE_FORMS.length} hostile addresses are blocked`, async () => {
  assert.ok(HOSTILE.length >= 60, `${HOSTILE.length} written addresses`);
  const outbound = createOutbound({ ...PUBLIC, user_agent: 'test', resolve });
  for (const url of [...HOSTILE, ...HOSTILE_NAMES, ...HOSTILE_FORMS])
    await assert.rejects(outbound.fetch(url), { code: 'outbound.failed', reason: 'blocked' }, url);
  await outbound.close();
});

test(`all ${GOOD.length} public addresses are allowed`, async () => {
  assert.ok(GOOD.length >= 20);
  for (const address of GOOD) {
    const url = new URL(address);
    checkUrl(PUBLIC, url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!(host in NAMES)) continue;
    const lookup = guardedLookup(PUBLIC, url.protocol, resolve);
    await new Promise<void>((done, fail) => lookup(host, { all: true }, (error) => (error ? fail(error) : done())));
  }
});

test('a host name is checked again at each lookup, against DNS rebinding', async () => {
  let looks = 0;
  const rebinding: Resolve = async () => [{ address: looks++ === 0 ? V4 : '127.0.0.1', family: 4 }];
  const lookup = guardedLookup(PUBLIC, 'https:', rebinding);
  const look = () => new Promise((done) => lookup('rebind.example', { all: true }, (error) => done(error)));
  assert.equal(await look(), null);
  assert.equal(((await look()) as { code: string }).code, 'outbound.failed');
});
