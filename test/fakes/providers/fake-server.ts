import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What every fake provider stands on: a real loopback server that remembers its requests and misbehaves on demand. */

export interface FakeRequest {
  method: string;
  /** Path and query as they came. */
  path: string;
  url: URL;
  headers: IncomingHttpHeaders;
}

export interface FakeReply {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** `cut` breaks the connection in the middle of the body; what is set replaces the part of the true reply. */
interface FakeFault extends Partial<FakeReply> {
  cut?: boolean;
  delay_ms?: number;
}

/** Asked for each request, counted from 1; undefined = behave. */
export type FakeFaults = (request: FakeRequest, number: number) => FakeFault | undefined;

export interface FakeServer {
  /** No trailing slash. */
  url: string;
  requests: FakeRequest[];
  close(): Promise<void>;
}

export const json = (body: unknown, headers: Record<string, string> = {}): FakeReply => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  headers,
});

export const plain = (status: number, body: string): FakeReply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
});

/** `reply` with the ETag of its bytes, or 304 where the client has them already. */
export function conditional(request: FakeRequest, reply: FakeReply): FakeReply {
  const etag = `W/"${createHash('sha256').update(reply.body).digest('hex')}"`;
  const headers = { ...reply.headers, etag };
  return request.headers['if-none-match'] === etag
    ? { ...reply, status: 304, body: '', headers }
    : { ...reply, headers };
}

async function startFakeServer(
  answer: (request: FakeRequest) => FakeReply,
  faults: FakeFaults = () => undefined,
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const url = new URL(path, 'http://fake.invalid');
    const request = { method: incoming.method ?? 'GET', path, url, headers: incoming.headers };
    const fault = faults(request, requests.push(request)) ?? {};
    const reply = { ...answer(request), ...fault };
    if (fault.delay_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay_ms));
    outgoing.writeHead(reply.status, { 'content-type': reply.type, ...reply.headers });
    if (fault.cut !== true) return outgoing.end(reply.body);
    return outgoing.write(reply.body.slice(0, reply.body.length / 2), () => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes its fake must end, not hang.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** A fake whose records a test may change as it goes. */
export interface FakeProvider<R> extends FakeServer {
  setRecords(records: R): void;
}

export async function startFakeProvider<R>(
  { records, faults }: { records: R; faults?: FakeFaults | undefined },
  answer: (request: FakeRequest, records: R) => FakeReply,
): Promise<FakeProvider<R>> {
  let current = records;
  const server = await startFakeServer((request) => answer(request, current), faults);
  const setRecords = (next: R): void => {
    current = next;
  };
  return { ...server, setRecords };
}
