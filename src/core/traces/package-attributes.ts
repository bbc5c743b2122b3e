import type { Attributes } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { HostReached, PackagedFacts } from '#core/mcp/packaged-servers.ts';
import { ATTR } from './conventions.ts';

const MOST_HOSTS = 50;

/** What ran, what held it, what it used and which hosts it reached or was refused. */
export const attributesOfPackage = (facts: PackagedFacts): Attributes => ({
  [ATTR.package_purl]: facts.purl,
  [ATTR.package_lock]: `sha256:${facts.lock_sha256}`,
  [ATTR.package_tree]: `sha256:${facts.tree_sha256}`,
  [ATTR.isolation]: facts.isolation,
  ...defined({
    [ATTR.package_cpu_ms]: facts.cpu_ms ?? undefined,
    [ATTR.package_memory_bytes]: facts.memory_bytes ?? undefined,
  }),
  [ATTR.package_hosts]: hostsReached(facts.hosts),
});

/** A line for each host that was reached or refused. */
export const hostsReached = (hosts: readonly HostReached[]): string[] =>
  hosts
    .slice(0, MOST_HOSTS)
    .map(({ host, port, outcome, reason, bytes_in, bytes_out }) =>
      outcome === 'reached'
        ? `reached ${host}:${port} in ${bytes_in} out ${bytes_out}`
        : `refused ${host}${port === 0 ? '' : `:${port}`} (${reason})`,
    );
