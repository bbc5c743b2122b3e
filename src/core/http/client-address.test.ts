import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('forwarded headers are ignored without trusted proxies', () => {
  assert.equal(clientAddress([])(request('192.0.2.7', '198.51.100.1')), '192.0.2.7');
  assert.equal(clientAddress([])(request(undefined, '198.51.100.1')), '');
});

const CASES: [what: string, peer: string, forwarded: string | undefined, client: string][] = [
  ['behind one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['behind two proxies', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['an address sent by the client itself is ignored', '10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['a proxy named by the client itself is ignored', '10.0.0.1', '203.0.113.9, 10.0.0.2, 198.51.100.1', '198.51.100.1'],
  ['the header of an untrusted peer is ignored', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['a proxy without the header is the client', '10.0.0.1', undefined, '10.0.0.1'],
  ['a header that names only trusted proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a header without an address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an invalid entry ends the chain at the proxy after it', '10.0.0.1', '198.51.100.1, <script>, 10.0.0.2', '10.0.0.2'],
  ['an empty last entry ends the chain at the proxy', '10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['a decimal number is not an address', '10.0.0.1', '3221226219', '10.0.0.1'],
  ['an IPv4 address with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['an IPv6 address with a port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['IPv4-mapped IPv6 addresses of proxy and client', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['IPv6 addresses in any notation', 'fd00::1', '2001:DB8:0:0::1, fd00:0::2', '2001:db8::1'],
  ['a single trusted proxy address', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['the neighbor of a trusted address is not trusted', '127.0.0.2', '198.51.100.1', '127.0.0.2'],
];
for (const [what, peer, forwarded, client] of CASES)
  test(`client address: ${what}`, () => {
    const addressOf = clientAddress(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
    assert.equal(addressOf(request(peer, forwarded)), client);
  });
