import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real server that answers by a script: one step for each request, the last one for all further. */
export type Step = (request: IncomingMessage, response: ServerResponse) => void;

interface FlakyService extends AsyncDisposable {
  url: string;
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
}

export async function flakyService(...steps: Step[]): Promise<FlakyService> {
  const requests: FlakyService['requests'] = [];
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)] as Step;
    requests.push({ method: request.method as string, path: request.url as string, headers: request.headers });
    request.resume().on('end', () => step(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_request, response) => {
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
  };

export function problem(status: number, code: string, headers: Record<string, string> = {}, reason?: string): Step {
  const body = { type: `/docs/errors/${code}`, title: 'T', status, detail: 'No.', code, request_id: 'r', reason };
  return answer(status, body, headers);
}

/** Takes the request and hangs up. */
export const hangUp: Step = (request) => {
  request.socket.destroy();
};

export const events =
  (text: string, then: 'end' | 'break' = 'end'): Step =>
  (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => (then === 'end' ? response.end() : request.socket.destroy()));
  };
