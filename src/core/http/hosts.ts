import { isIP } from 'node:net';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * The hosts that requests are answered for. A foreign page can make its own domain resolve to this service (DNS
 * rebinding); its requests then come from a local browser with that domain as Host. IP addresses and localhost cannot
 * be rebound, so they are always accepted, and so is a request without Host, which no browser sends.
 */
export interface Hosts {
  /** Throws `http.misdirected_request`. */
  check(host: string | undefined): void;
}

/** Accepts each of `names` and its subdomains. */
export function createHosts(names: readonly string[]): Hosts {
  const allowed = [...new Set(['localhost', ...names.map(withoutDot)])];
  // Consecutive requests of one client have the same host.
  let last: string | undefined;
  return {
    check(host) {
      if (host === undefined || host === last) return;
      const name = hostName(host);
      if (name === null || !isAllowed(name, allowed)) throw misdirected(name);
      last = host;
    },
  };
}

const isAllowed = (name: string, allowed: readonly string[]): boolean =>
  isIP(name) !== 0 || allowed.some((one) => name === one || name.endsWith(`.${one}`));

const HOST = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i;

/** Returns the host without its port, or null if invalid. Internationalized names must be in ASCII form. */
function hostName(host: string): string | null {
  const [, address, name] = HOST.exec(host) ?? [];
  const found = address ?? name;
  return found === undefined ? null : withoutDot(found.toLowerCase());
}

const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

const misdirected = (name: string | null): Problem =>
  coreProblem(
    'http.misdirected_request',
    name === null
      ? 'Invalid Host header.'
      : `Unknown host: ${name}. To accept it, set PUBLIC_URL or add the host to CAPSTAN_ALLOWED_HOSTS.`,
  );
