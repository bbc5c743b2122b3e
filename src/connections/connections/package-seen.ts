import { type PackagedFacts, wantedHosts } from '#core/mcp/packaged-servers.ts';
import type { PackageSeen } from './connection.ts';

/** However many hosts a server asks for. */
const MOST_HOSTS = 100;

/** What ran, with the hosts that were refused by now; null where that is known already. */
export function seenPackage(before: PackageSeen | null, facts: PackagedFacts): PackageSeen | null {
  const { purl, lock_sha256, tree_sha256, size_bytes, isolation, hosts } = facts;
  const wanted = new Set([...(before?.wanted_hosts ?? []), ...wantedHosts(hosts)]);
  const seen = {
    purl,
    lock_sha256,
    tree_sha256,
    size_bytes,
    isolation,
    wanted_hosts: [...wanted].slice(0, MOST_HOSTS),
  };
  return JSON.stringify(seen) === JSON.stringify(before) ? null : seen;
}
