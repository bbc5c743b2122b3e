import type { HostGrant } from '#runtime/egress/egress.ts';

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
