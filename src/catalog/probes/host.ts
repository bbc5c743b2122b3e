import { reachOf } from '#core/outbound/address.ts';

/** Whose machine an address is on, as far as politeness goes. Pure. */

/**
 * Without the port: many ports of one name are one host, or listings could have us try them all. In development each
 * port of this very machine is a host of its own.
 */
export function hostOf(address: string): string {
  const { host, hostname } = new URL(address);
  return reachOf(hostname) === 'loopback' ? host : hostname.replace(/\.$/, '');
}

/** Whether the operator has it left alone: the name itself, or any above it. */
export function isSkipped(skip: readonly string[], host: string): boolean {
  const name = host.startsWith('[') ? host.replace(/\]:\d+$/, ']') : host.replace(/:\d+$/, '');
  return skip.some((text) => name === text || name.endsWith(`.${text}`));
}
