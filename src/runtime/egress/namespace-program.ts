/**
 * A program that runs briefly in a new network namespace: it opens the sockets there, hands them to the service over Node's
 * own channel between processes, and is ended. Sockets belong to the namespace in which they were made, no matter who
 * reads them, so no process of ours is left beside the box. It is a text for `node --eval`, because the folder of the service
 * may be closed to the user of the boxes; plain JavaScript starts faster than what has types to strip. It closes its own
 * copies before it says that it is done, because it would still take connections and datagrams until it is gone, and
 * then waits: its entry in /proc leads to the namespace.
 */
export const NAMESPACE_PROGRAM = `'use strict';
const { createServer } = require('node:net');
const { createSocket } = require('node:dgram');
process.on('message', () => {});
const send = (message, handle) => new Promise((resolve, reject) =>
  process.send(message, handle, (error) => (error ? reject(error) : resolve())));
const opened = (socket, open) => new Promise((resolve, reject) => {
  socket.once('error', reject);
  open(socket, () => resolve(socket));
});
const listen = (host, port) =>
  opened(createServer(), (server, done) => server.listen({ host, port, exclusive: true }, done));
(async () => {
  const [low, ...ports] = process.argv.slice(1).map(Number);
  // From this port on, programs need no right to listen.
  if (low > 0) require('node:fs').writeFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', String(low));
  const udp = await opened(createSocket('udp4'), (socket, done) => socket.bind({ address: '127.0.0.1', port: 53 }, done));
  const tcp = await listen('127.0.0.1', 53);
  const servers = await Promise.all(ports.map((port) => listen('0.0.0.0', port)));
  const opened_here = [['udp', udp], ['tcp', tcp], ...servers.map((server, index) => [ports[index], server])];
  for (const [name, socket] of opened_here) {
    await send(name, socket);
    await new Promise((resolve) => socket.close(resolve));
  }
  await send('done');
})().catch((error) => {
  process.stderr.write(error.message);
  process.exit(1);
});
`;
