import ipaddr from 'ipaddr.js';

/**
 * The network that requests of one client are counted by: an IPv4 address, or the 64 leading bits of an IPv6 one, of
 * which a single customer has the rest to choose from.
 */
export function clientBucket(address: string): string {
  const bare = address.replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts as [number, number, number, number];
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}
