import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PackagedFacts } from '#core/mcp/packaged-servers.ts';
import type { BoxUsage } from '#runtime/boxes/box.ts';
import { MOST_RECEIPT_HOSTS, type RunFacts } from './statement.ts';

/** What a receipt states about a box: the hosts that it reached or was refused, and its resource usage. Pure. */

interface BoxHosts {
  granted: PackagedFacts['granted'];
  uses: PackagedFacts['hosts'];
}

export function hostFacts({ granted, uses }: BoxHosts): NonNullable<RunFacts['environment']['hosts']> {
  const grants = granted.map(({ host, ports }) => ({ host, ports: [...ports] }));
  grants.sort((a, b) => (a.host < b.host ? -1 : a.host > b.host ? 1 : 0));
  const reached = uses.filter(({ outcome }) => outcome === 'reached');
  const refused = uses.filter(({ outcome }) => outcome === 'refused');
  return {
    granted_sha256: createHash('sha256')
      .update(canonicalize(grants) as string)
      .digest('hex'),
    reached: reached.slice(0, MOST_RECEIPT_HOSTS).map(({ host, port, connections, bytes_in, bytes_out }) => ({
      host: hostText(host),
      port,
      connections,
      bytes_in,
      bytes_out,
    })),
    refused: refused.slice(0, MOST_RECEIPT_HOSTS).map(({ host, port, reason }) => ({
      host: hostText(host),
      port,
      reason: reason ?? 'not_granted',
    })),
    complete: Math.max(reached.length, refused.length) <= MOST_RECEIPT_HOSTS && uses.every(({ host }) => host !== '*'),
  };
}

/** Limits the name, because it comes from code in the box. */
const hostText = (host: string): string => host.slice(0, 300).toWellFormed() || '*';

/** Receipts contain only whole numbers. */
export const resourceFacts = ({ cpu_ms, memory_bytes, processes }: BoxUsage): BoxUsage => ({
  cpu_ms: Math.round(cpu_ms),
  memory_bytes: Math.round(memory_bytes),
  processes,
});
