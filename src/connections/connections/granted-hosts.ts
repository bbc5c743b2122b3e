import { connectionsProblem } from '#connections/errors.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Connection } from './connection.ts';

/**
 * The hosts that an owner lets the package of a connection reach; null for a server at an address.
 *
 * @throws Problem `connections.invalid` (`hosts`).
 */
export function grantedHosts(
  { package: launch }: Pick<Connection, 'package'>,
  hosts: readonly string[],
  { hostFault }: Pick<PackagedServers, 'hostFault'>,
): string[] | null {
  if (launch === null) {
    if (hosts.length === 0) return null;
    throw invalid('Only servers that are started from a package are granted hosts.', []);
  }
  const errors = hosts.flatMap((host, at) => {
    const detail = hostFault(host);
    return detail === null ? [] : [{ pointer: `/hosts/${at}`, detail }];
  });
  if (errors.length > 0) throw invalid('Invalid host. Nothing was granted.', errors);
  return [...new Set(hosts.map((host) => host.toLowerCase()))];
}

const invalid = (detail: string, errors: { pointer: string; detail: string }[]): Problem =>
  connectionsProblem('connections.invalid', detail, { reason: 'hosts', errors });
