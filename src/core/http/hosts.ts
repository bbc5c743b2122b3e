import { isIP } from 'node:net';
import { Problem } from '#core/problem/problem.ts';

/**
 * For whom requests are answered. A page elsewhere can have its own name lead to this service (DNS rebinding); its requests then
 * come from a browser here, and carry that name as their Host. Addresses and localhost cannot be made to lead anywhere, so
 * they are always answered, and so is what has no Host, which no browser sends.
 */
export interface Hosts {
  /** Throws `http.misdirected_request`. */
  check(host: string | undefined): void;
}

/** Each of `names` with all names below it. */
export function createHosts(names: readonly string[]): Hosts {
  const allowed = [...new Set(['localhost', ...names.map(withoutDot)])];
  // Requests of one client after another name the same host.
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

/** Without its port; null where it is not a host. Internationalised names come in their ASCII form. */
function hostName(host: string): string | null {
  const [, address, name] = HOST.exec(host) ?? [];
  const found = address ?? name;
  return found === undefined ? null : withoutDot(found.toLowerCase());
}

const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

const misdirected = (name: string | null): Problem =>
  new Problem(
    'misdirected_request',
    'http.misdirected_request',
    name === null
      ? 'Invalid Host header.'
      : `Unknown host: ${name}. To accept it, set PUBLIC_URL or add the host to CAPSTAN_ALLOWED_HOSTS.`,
  );
