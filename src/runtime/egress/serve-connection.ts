import type { Socket } from 'node:net';
import type { Dialler } from './dial.ts';
import type { RefusalReason } from './egress.ts';
import type { Grants } from './grants.ts';
import type { EgressLimits } from './limits.ts';
import type { NameAddresses } from './name-addresses.ts';
import { readHello } from './read-hello.ts';
import { relay } from './relay.ts';
import type { UseLedger } from './use-ledger.ts';

export interface ConnectionContext {
  grants: Grants;
  addresses: NameAddresses;
  ledger: UseLedger;
  dialler: Dialler;
  limits: EgressLimits;
  /** Takes bytes from the box's remaining budget; false if it is used up. */
  spend(bytes: number): boolean;
  /** Destroyed when the gate closes. */
  track(socket: Socket): void;
}

/** A fatal TLS alert `access_denied`: clients name it in their error, which a reset connection does not allow. */
const ACCESS_DENIED = Buffer.of(21, 3, 3, 0, 2, 2, 49);
const ALERT_MS = 1_000;

/** Serves one connection of a box. Its target address identifies the name. */
export async function serveConnection(client: Socket, context: ConnectionContext): Promise<void> {
  const { grants, ledger } = context;
  const { localAddress = '', localPort = 0 } = client;
  client.on('error', () => client.destroy());
  const name = context.addresses.nameAt(localAddress);
  if (name === null) {
    ledger.refused(localAddress, localPort, 'not_granted');
    client.resetAndDestroy();
    return;
  }
  const grant = grants.find(name, localPort);
  if (grant === null) {
    ledger.refused(name, localPort, 'port');
    client.resetAndDestroy();
    return;
  }
  await serveGranted(client, { name, port: localPort, plain: grant.plain }, context);
}

/** A connection to a granted name, from its first byte to its end. */
export async function serveGranted(
  client: Socket,
  grant: { name: string; port: number; plain: boolean },
  context: ConnectionContext,
): Promise<void> {
  const { limits, ledger } = context;
  const { name, port } = grant;
  const refuse = (reason: RefusalReason, tls: boolean): void => {
    ledger.refused(name, port, reason);
    close(client, tls);
  };
  const first = await readHello(client, { name, plain: grant.plain, timeout_ms: limits.hello_ms });
  if ('refused' in first) {
    if (first.refused === 'ended') {
      client.destroy();
      return;
    }
    return refuse(first.refused, first.tls);
  }
  const dialled = await context.dialler.dial(name, port, grant);
  if ('refused' in dialled) return refuse(dialled.refused, first.tls);
  const { socket: server } = dialled;
  context.track(server);
  if (client.destroyed) {
    server.destroy();
    return;
  }
  relay({
    client,
    server,
    first: first.bytes,
    tls: first.tls,
    name,
    row: ledger.reached(name, port),
    limits,
    spend: context.spend,
    refused: (reason) => ledger.refused(name, port, reason),
  });
}

function close(client: Socket, tls: boolean): void {
  if (!tls || client.destroyed) {
    client.resetAndDestroy();
    return;
  }
  // Unread bytes would turn the end into a reset, which overtakes the alert.
  client.resume();
  client.end(ACCESS_DENIED);
  const timer = setTimeout(() => client.destroy(), ALERT_MS);
  client.once('close', () => clearTimeout(timer));
}
