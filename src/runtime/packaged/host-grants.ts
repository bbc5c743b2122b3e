import { Problem } from '#core/problem/problem.ts';
import type { Egress, HostGrant } from '#runtime/egress/egress.ts';
import { readGrants } from '#runtime/egress/grants.ts';

/** `name`, `*.name` or `name:port`, as owners grant hosts, in the form of the gate. */
export function grantsOf(hosts: readonly string[]): HostGrant[] {
  const ports = new Map<string, Set<number>>();
  for (const granted of hosts) {
    const [, host, port = '443'] = /^([^:]+)(?::(\d{1,5}))?$/.exec(granted) ?? [];
    if (host === undefined) continue;
    const known = ports.get(host.toLowerCase()) ?? new Set();
    ports.set(host.toLowerCase(), known.add(Number(port)));
  }
  return [...ports].map(([host, set]) => ({ host, ports: [...set], plain: false }));
}

/** The network of a box whose owner granted these hosts. */
export function egressOf(hosts: readonly string[]): Egress {
  const granted = grantsOf(hosts);
  // What it asks for is noted, so that its owner can grant it.
  return granted.length === 0 ? { mode: 'none', watch: true } : { mode: 'allow', hosts: granted };
}

/** Why the host cannot be granted; null if it can. */
export function hostFault(host: string): string | null {
  const grants = grantsOf([host]);
  if (grants.length === 0) return 'must be a host name such as api.example.com or api.example.com:8443';
  try {
    readGrants(grants);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.errors?.[0]?.detail ?? error.message;
    throw error;
  }
}
