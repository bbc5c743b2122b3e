import type { Socket as UdpSocket } from 'node:dgram';
import type { Server, Socket } from 'node:net';
import { MAX_DNS_REQUEST } from './dns-message.ts';

/** DNS over UDP and TCP on sockets of a box's network. */
interface DnsServer {
  close(): void;
}

const MAX_TCP_CLIENTS = 16;
const TCP_IDLE_MS = 10_000;

export interface DnsOptions {
  /** Null if a message gets no response. */
  answer(message: Buffer): Buffer | null;
  /** Counts a message or connection; false if the box has used up its DNS limit. */
  allow(): boolean;
}

export function serveDns(udp: UdpSocket, tcp: Server, { answer, allow }: DnsOptions): DnsServer {
  const clients = new Set<Socket>();
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    udp.close();
    tcp.close();
    for (const client of clients) client.destroy();
  };
  udp.on('error', close);
  const isAllowed = (): boolean => {
    if (closed || allow()) return !closed;
    close();
    return false;
  };
  udp.on('message', (message, { port, address }) => {
    if (port === 0 || !isAllowed()) return;
    const reply = answer(message);
    // The client may be gone.
    if (reply !== null) udp.send(reply, port, address, () => {});
  });
  tcp.maxConnections = MAX_TCP_CLIENTS;
  tcp.on('error', close);
  tcp.on('drop', isAllowed);
  tcp.on('connection', (client) => {
    if (!isAllowed()) {
      client.destroy();
      return;
    }
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    client.setTimeout(TCP_IDLE_MS, () => client.destroy());
    answerStream(client, (message) => (isAllowed() ? answer(message) : null));
  });
  return { close };
}

/** Each message has its length in two bytes before it (RFC 1035, 4.2.2). */
function answerStream(client: Socket, answer: (message: Buffer) => Buffer | null): void {
  let rest: Buffer = Buffer.alloc(0);
  client.on('data', (chunk: Buffer) => {
    // The rest of the last chunk is shorter than one message.
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length >= 2) {
      const size = bytes.readUInt16BE(0);
      if (size > MAX_DNS_REQUEST) {
        client.destroy();
        return;
      }
      if (bytes.length < 2 + size) break;
      const reply = answer(bytes.subarray(2, 2 + size));
      if (reply === null) {
        client.destroy();
        return;
      }
      client.write(Buffer.concat([Buffer.of(reply.length >> 8, reply.length & 255), reply]));
      bytes = bytes.subarray(2 + size);
    }
    rest = bytes;
    // A client that does not read its responses gets no more of them.
    if (client.writableNeedDrain) client.pause().once('drain', () => client.resume());
  });
}
