import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** The address that a request came from, seen past the proxies that the operator trusts, and past no other. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * X-Forwarded-For is read from its right end, where our own proxies write: the first address that is no trusted proxy is
 * the client. What stands left of it was written by the client, who may write anything.
 */
export function clientAddress(trusted_proxies: readonly string[]): ClientAddress {
  const ranges = trusted_proxies.map(rangeOf);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
  return ({ socket, headers }) => {
    let seen = socket.remoteAddress ?? '';
    if (ranges.length === 0) return seen;
    const hops = `${headers['x-forwarded-for'] ?? ''}`.split(',');
    for (let address = read(seen); address !== null && isTrusted(address); address = read(seen)) {
      const next = read(hops.pop() ?? '');
      // Nothing, or nothing that is an address: the last one that is stands.
      if (next === null) return seen;
      seen = next.toString();
    }
    return seen;
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function rangeOf(text: string): [Address, number] {
  const [network = '', bits] = text.split('/');
  const address = ipaddr.process(network);
  return [address, bits === undefined ? address.toByteArray().length * 8 : Number(bits)];
}

/** Some proxies write the port, too: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function read(text: string): Address | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return ipaddr.process(bare);
}
