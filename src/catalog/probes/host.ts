import { reachOf } from '#core/outbound/address.ts';

/** The host of an address, which is the unit of rate limits for probes. Pure. */

/**
 * Without the port, because listings could otherwise make us try every port of a host. On loopback, for development, each port
 * counts as a separate host.
 */
export function hostOf(address: string): string {
  const { host, hostname } = new URL(address);
  return reachOf(hostname) === 'loopback' ? host : hostname.replace(/\.$/, '');
}

/** In place of a host, for a package: the packages of a provider are probed in a queue of their own. */
export const packageQueue = (provider_id: string): string => `${PACKAGES}${provider_id}`;

/** No host name has a colon before letters. */
export const PACKAGES = 'pkg:';

/** Whether the operator excludes the host or a parent domain of it. */
export function isSkipped(skip: readonly string[], host: string): boolean {
  const name = host.startsWith('[') ? host.replace(/\]:\d+$/, ']') : host.replace(/:\d+$/, '');
  return skip.some((text) => name === text || name.endsWith(`.${text}`));
}
