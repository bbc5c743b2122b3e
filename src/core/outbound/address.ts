import ipaddr from 'ipaddr.js';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Which addresses outbound requests may reach: the public internet over https, and loopback in development. */

type Reach = 'public' | 'loopback' | 'special' | 'name';

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Inside 2000::/3 but not for hosts: protocol assignments, documentation, 6to4, and the old 6bone prefix. */
const SET_ASIDE = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'].map(
  (text) => ipaddr.parseCIDR(text) as [ipaddr.IPv6, number],
);

function reachOfIPv6(address: ipaddr.IPv6): Reach {
  if (address.range() === 'loopback') return 'loopback';
  // A mapped address reaches an IPv4 host. It counts as loopback if that host is, and otherwise as special.
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().range() === 'loopback' ? 'loopback' : 'special';
  if (address.range() !== 'unicast' || !address.match(GLOBAL_UNICAST)) return 'special';
  return SET_ASIDE.some((cidr) => address.match(cidr)) ? 'special' : 'public';
}

/**
 * Classifies a host from a URL, a DNS answer or a socket. Understands every literal form: dotted, decimal, hex, octal
 * and shortened IPv4, and IPv6 with or without brackets and zone. Anything else is a name.
 */
export function reachOf(host: string): Reach {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (bare.includes(':')) {
    const withoutZone = bare.replace(/%.*$/s, '');
    return ipaddr.IPv6.isValid(withoutZone) ? reachOfIPv6(ipaddr.IPv6.parse(withoutZone)) : 'special';
  }
  if (!ipaddr.IPv4.isValid(bare)) return /^(0x[0-9a-f.x]*|[0-9.]+)$/i.test(bare) ? 'special' : 'name';
  const range = ipaddr.IPv4.parse(bare).range();
  return range === 'unicast' ? 'public' : range === 'loopback' ? 'loopback' : 'special';
}

export interface Guard {
  allow_loopback: boolean;
}

/** Throws `outbound.failed` (`blocked`) unless the address, literal or resolved, may be reached with this protocol. */
export function checkAddress(guard: Guard, protocol: string, address: string): void {
  const reach = reachOf(address);
  if (reach === 'loopback' && guard.allow_loopback) return;
  if (reach === 'public' && protocol === 'https:') return;
  throw blocked(
    reach === 'public'
      ? `plain http to ${address} is not allowed; use https`
      : `${address} is not a public internet address`,
  );
}

/** Throws `outbound.failed` (`blocked`) if the URL itself is forbidden; names are checked when they are resolved. */
export function checkUrl(guard: Guard, url: URL): void {
  if (url.username !== '' || url.password !== '') throw blocked('URLs must not contain a user name or password');
  const allowed = guard.allow_loopback ? ['https:', 'http:'] : ['https:'];
  if (!allowed.includes(url.protocol)) throw blocked(`${url.protocol} URLs are not allowed; use https`);
  if (reachOf(url.hostname) !== 'name') checkAddress(guard, url.protocol, url.hostname);
}

const blocked = (why: string): Problem =>
  coreProblem('outbound.failed', `Request blocked: ${why}.`, { reason: 'blocked' });
