import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Egress, EgressGate, RefusalReason } from './egress.ts';
import { readGrants } from './grants.ts';
import { canonicalName } from './host-name.ts';
import { connectionContext, type GateOptions } from './open-gate.ts';
import { type ConnectionContext, serveGranted } from './serve-connection.ts';
import { tokenBucket } from './token-bucket.ts';

/**
 * The gate for boxes on other machines: a proxy that takes CONNECT only. Each box has a token, and with it the grants, the limits and
 * the list of hosts of a gate.
 */
export interface ProxyGate {
  /** The port that it listens on. */
  port: number;
  /** @throws `http.invalid` (`input`) for a wrong grant. */
  open(egress: Egress): ProxiedBox;
  close(): Promise<void>;
}

interface ProxiedBox extends Pick<EgressGate, 'uses' | 'close'> {
  /** User and password of the box, as in `http://USER:PASSWORD@gate`. */
  credentials: string;
}

interface Proxied {
  password: Buffer;
  context: ConnectionContext;
  isWithinRate: () => boolean;
  clients: number;
}

const HEAD_BYTES = 8_192;
const HEAD_MS = 10_000;
const TARGET = /^([^:/@\s]{1,253}):(\d{1,5})$/;
const SAID = {
  407: 'Proxy Authentication Required',
  403: 'Forbidden',
  400: 'Bad Request',
  429: 'Too Many Requests',
} as const;

export async function openProxyGate(host: string, port: number, options: GateOptions = {}): Promise<ProxyGate> {
  const boxes = new Map<string, Proxied>();
  const server = createServer({ maxHeaderSize: HEAD_BYTES, headersTimeout: HEAD_MS, requestTimeout: HEAD_MS });
  server.on('request', (_request, response) =>
    response.writeHead(405, { allow: 'CONNECT', connection: 'close' }).end(),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connect', (request: IncomingMessage, duplex, head: Buffer) => {
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    // A client that has sent all of its request still waits for the answer.
    socket.allowHalfOpen = true;
    void serve(boxes, request, socket, head);
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    open: (egress) => {
      const grants = readGrants(egress.mode === 'allow' ? egress.hosts : []);
      const { context, close } = connectionContext(grants, options);
      const [name, password] = [randomBytes(9).toString('hex'), randomBytes(24).toString('hex')];
      const isWithinRate = tokenBucket(context.limits.connections_per_second);
      boxes.set(name, { password: Buffer.from(password), context, isWithinRate, clients: 0 });
      return {
        credentials: `${name}:${password}`,
        uses: context.ledger.rows,
        close: async () => {
          boxes.delete(name);
          close();
        },
      };
    },
    close: async () => {
      for (const name of boxes.keys()) boxes.delete(name);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(
  boxes: ReadonlyMap<string, Proxied>,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const answer = (status: keyof typeof SAID): void => {
    socket.end(`HTTP/1.1 ${status} ${SAID[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  };
  const box = boxOf(boxes, request.headers['proxy-authorization']);
  if (box === null) return answer(407);
  const { context } = box;
  const { limits, ledger, grants } = context;
  const [, host = '', digits = ''] = TARGET.exec(request.url ?? '') ?? [];
  const name = canonicalName(host);
  const port = Number(digits);
  const refuse = (status: keyof typeof SAID, reason: RefusalReason): void => {
    ledger.refused(name ?? host, port, reason);
    answer(status);
  };
  if (host === '' || port > 65_535) return answer(400);
  if (!box.isWithinRate() || box.clients >= limits.connections) return refuse(429, 'too_many');
  const grant = name === null ? null : grants.find(name, port);
  if (name === null || !grants.has(name)) return refuse(403, 'not_granted');
  if (grant === null) return refuse(403, 'port');
  box.clients += 1;
  socket.once('close', () => {
    box.clients -= 1;
  });
  context.track(socket);
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
  await serveGranted(socket, { name, port, plain: grant.plain }, context);
}

function boxOf(boxes: ReadonlyMap<string, Proxied>, header: string | undefined): Proxied | null {
  const [, encoded = ''] = /^basic ([a-z0-9+/=]{1,512})$/i.exec(header ?? '') ?? [];
  const [name = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  const box = boxes.get(name);
  const given = Buffer.from(password);
  return box !== undefined && given.length === box.password.length && timingSafeEqual(given, box.password) ? box : null;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
