import ipaddr from 'ipaddr.js';

/**
 * The network that a client is counted by: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * customer controls the rest.
 */
export function clientBucket(address: string): string {
  const bare = address.replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts as [number, number, number, number];
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * The networks around a client, smallest first: 24 and 16 bits of IPv4, 48 and 32 of IPv6. One customer can have many
 * addresses, but few whole networks of this size. None for anything else, which `clientBucket` counts.
 */
export function networksAround(address: string): string[] {
  const bare = address.replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return [];
  const parsed = ipaddr.process(bare);
  const isShort = parsed.kind() === 'ipv4';
  const kind = isShort ? ipaddr.IPv4 : ipaddr.IPv6;
  return (isShort ? [24, 16] : [48, 32]).map((bits) => `${kind.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`);
}
