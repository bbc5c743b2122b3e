import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Determines the client address of a request behind the trusted proxies. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Reads X-Forwarded-For from the right, where our own proxies append: the first address that is not a trusted proxy is
 * the client. Clients can put anything to the left of it.
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
      // The header ends or is invalid here, so the last valid address is the client.
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

/** Some proxies append the port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function read(text: string): Address | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return ipaddr.process(bare);
}
