import ipaddr from 'ipaddr.js';

/**
 * The network of an address: 24 bits of IPv4, 48 of IPv6. Enough to notice another location, too little to identify a
 * line. Null if it is not an address.
 */
export function networkOf(address: string): string | null {
  const bare = address.replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return null;
  const parsed = ipaddr.process(bare);
  const bits = parsed.kind() === 'ipv4' ? 24 : 48;
  const range = `${parsed.toString()}/${bits}`;
  const network =
    parsed.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${network.toString()}/${bits}`;
}
