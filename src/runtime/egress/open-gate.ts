import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Guard } from '#core/outbound/address.ts';
import type { Resolve } from '#core/outbound/connect.ts';
import { systemResolve } from '#core/outbound/system-resolve.ts';
import { acceptConnections } from './accept-connections.ts';
import { answerName } from './answer-name.ts';
import { createDialler } from './dial.ts';
import { type DnsOptions, serveDns } from './dns-server.ts';
import type { Egress, EgressGate } from './egress.ts';
import { type Grants, readGrants } from './grants.ts';
import { EGRESS_LIMITS, type EgressLimits } from './limits.ts';
import { nameAddresses } from './name-addresses.ts';
import type { Namespace } from './namespace.ts';
import { type Namespaces, openNamespaces } from './namespaces.ts';
import type { ConnectionContext } from './serve-connection.ts';
import { tokenBucket } from './token-bucket.ts';
import { useLedger } from './use-ledger.ts';

export interface GateOptions {
  /** Without it the gate creates a namespace, which takes longer than using a spare one. */
  namespaces?: Namespaces;
  resolve?: Resolve;
  guard?: Guard;
  limits?: Partial<EgressLimits>;
}

/**
 * Opens the way out of one box. The sockets in the box's network belong to this process, so there is nothing to attack in
 * the box: DNS requests end here, and connections go to granted names only.
 *
 * @throws `http.invalid` (`input`) for a wrong grant, `runs.unavailable` (`egress_unavailable`) if this host does not support it.
 */
export async function openEgressGate(egress: Egress, options: GateOptions = {}): Promise<EgressGate> {
  const grants = readGrants(egress.mode === 'allow' ? egress.hosts : []);
  if (egress.mode === 'none' && !egress.watch) return CLOSED_GATE;
  const namespaces = options.namespaces ?? openNamespaces({ spares: 0 });
  return gateOf(await namespaces.take(grants.ports, egress.listens), grants, options);
}

/** The box has an empty network and no DNS. */
const CLOSED_GATE: EgressGate = { namespace: null, mounts: [], uses: () => [], close: async () => {} };

const RESOLV_CONF = fileURLToPath(new URL('./resolv.conf', import.meta.url));

/** What the connections of one box share; `close` ends them. */
export function connectionContext(grants: Grants, options: GateOptions): { context: ConnectionContext; close(): void } {
  const limits = Object.assign({}, EGRESS_LIMITS, options.limits);
  const open = openSockets();
  const context: ConnectionContext = {
    grants,
    limits,
    addresses: nameAddresses(grants.exact, limits.names),
    ledger: useLedger(limits.refusals),
    dialler: createDialler({
      resolve: options.resolve ?? systemResolve,
      guard: options.guard ?? { allow_loopback: false },
      resolve_ms: limits.resolve_ms,
      connect_ms: limits.connect_ms,
    }),
    spend: budgetOf(limits.bytes),
    track: open.track,
  };
  return { context, close: open.close };
}

function gateOf(namespace: Namespace, grants: Grants, options: GateOptions): EgressGate {
  const { context, close } = connectionContext(grants, options);
  const dns = serveDns(namespace.dns.udp, namespace.dns.tcp, dnsOf(context));
  acceptConnections(namespace.servers.values(), context);
  return {
    namespace,
    mounts: [{ from: RESOLV_CONF, to: '/etc/resolv.conf', writable: false }],
    uses: context.ledger.rows,
    async close() {
      dns.close();
      namespace.close();
      close();
    },
  };
}

function dnsOf(context: ConnectionContext): DnsOptions {
  const isWithinRate = tokenBucket(context.limits.lookups_per_second);
  return {
    answer: (message) => answerName(message, context),
    allow() {
      if (isWithinRate()) return true;
      context.ledger.refused('*', 53, 'too_many');
      return false;
    },
  };
}

function budgetOf(bytes: number): (spent: number) => boolean {
  let left = bytes;
  return (spent) => {
    left -= spent;
    return left >= 0;
  };
}

/** Sockets of a gate, which end with it. */
function openSockets() {
  const sockets = new Set<Socket>();
  let closed = false;
  return {
    track(socket: Socket): void {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (closed) socket.destroy();
    },
    close(): void {
      closed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
