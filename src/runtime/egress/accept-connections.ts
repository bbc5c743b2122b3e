import type { Server, Socket } from 'node:net';
import { type ConnectionContext, serveConnection } from './serve-connection.ts';
import { tokenBucket } from './token-bucket.ts';

/** Serves the connections of a box at its listening sockets, as many and as fast as the limits allow. */
export function acceptConnections(servers: Iterable<Server>, context: ConnectionContext): void {
  const { limits, ledger, addresses } = context;
  const withinRate = tokenBucket(limits.connections_per_second);
  const listening = [...servers];
  let clients = 0;
  const accept = (client: Socket): void => {
    const { localAddress = '', localPort = 0 } = client;
    if (!withinRate()) {
      // Each further connection would take time from the other boxes, even if it were only closed.
      ledger.refused('*', localPort, 'too_many');
      client.destroy();
      for (const server of listening) server.close();
      return;
    }
    if (clients === limits.connections) {
      ledger.refused(addresses.nameAt(localAddress) ?? localAddress, localPort, 'too_many');
      client.resetAndDestroy();
      return;
    }
    clients += 1;
    client.once('close', () => {
      clients -= 1;
    });
    context.track(client);
    void serveConnection(client, context);
  };
  for (const server of listening) {
    // A client that has sent all of its request still waits for the response.
    (server as { allowHalfOpen?: boolean }).allowHalfOpen = true;
    server.on('error', () => server.close());
    server.on('connection', accept);
  }
}
