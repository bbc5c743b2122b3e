import canonicalize from 'canonicalize';
import { sha256 } from '#core/crypto/sha256.ts';
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
    granted_sha256: sha256(canonicalize(grants) as string),
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

/** Receipts contain only whole numbers. Undefined if the box was not measured: a receipt states no zero in its place. */
export function resourceFacts({
  cpu_ms,
  memory_bytes,
  processes,
}: Pick<PackagedFacts, 'cpu_ms' | 'memory_bytes' | 'processes'>): BoxUsage | undefined {
  if (cpu_ms === null || memory_bytes === null || processes === null) return undefined;
  return { cpu_ms: Math.round(cpu_ms), memory_bytes: Math.round(memory_bytes), processes };
}
