import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('ignores forwarded headers without trusted proxies', () => {
  assert.equal(clientAddress([])(request('192.0.2.7', '198.51.100.1')), '192.0.2.7');
  assert.equal(clientAddress([])(request(undefined, '198.51.100.1')), '');
});

const CASES: [what: string, peer: string, forwarded: string | undefined, client: string][] = [
  ['a client past one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['past two proxies', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['what the client wrote itself is not believed', '10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['nor a proxy that the client names', '10.0.0.1', '203.0.113.9, 10.0.0.2, 198.51.100.1', '198.51.100.1'],
  ['a peer that is no proxy of ours', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['a proxy that adds nothing', '10.0.0.1', undefined, '10.0.0.1'],
  ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['no address at all', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['no address left of a proxy', '10.0.0.1', '198.51.100.1, <script>, 10.0.0.2', '10.0.0.2'],
  ['an empty entry', '10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['a number that some take for an address', '10.0.0.1', '3221226219', '10.0.0.1'],
  ['with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6 with a port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['IPv4 in IPv6, on both sides', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['IPv6', 'fd00::1', '2001:DB8:0:0::1, fd00:0::2', '2001:db8::1'],
  ['a single trusted address', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['and not its neighbour', '127.0.0.2', '198.51.100.1', '127.0.0.2'],
];
for (const [what, peer, forwarded, client] of CASES)
  test(`${what}: ${client}`, () => {
    const addressOf = clientAddress(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
    assert.equal(addressOf(request(peer, forwarded)), client);
  });
