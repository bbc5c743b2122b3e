import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../failure.ts';
import type { World } from '../world.ts';

/** Where a browser comes back to after a sign-in: a server on loopback, for one answer with the right state (RFC 8252). */
interface Landing {
  /** `http://127.0.0.1:<port>/callback` */
  url: string;
  /**
   * The query of the answer with this state, whether it brought a code or an error. Ask before a browser opens: what comes
   * earlier is refused. Throws after five minutes.
   */
  answer(state: string): Promise<URLSearchParams>;
  close(): void;
}

const WAIT_MS = 300_000;

export async function openLanding(world: World, again: { fix: string; exit_code?: number }): Promise<Landing> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  promise.catch(() => {});
  let expected: string | null = null;
  const server = createServer((request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? new URL('http://127.0.0.1');
    // Whatever else asks here, another page for one, changes nothing.
    if (pathname !== '/callback' || expected === null || searchParams.get('state') !== expected) {
      show(response, 404, 'Page not found.');
      return;
    }
    const isSignedIn = searchParams.get('code') !== null;
    show(response, 200, isSignedIn ? 'Done. You can close this window.' : 'You are not signed in.');
    resolve(searchParams);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const late = setTimeout(() => {
    reject(new Failure('cli.sign_in', 'The sign-in timed out after five minutes.', again));
  }, WAIT_MS);
  const stop = () => reject(world.signal.reason);
  world.signal.addEventListener('abort', stop, { once: true });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answer(state) {
      expected = state;
      return promise;
    },
    close(): void {
      clearTimeout(late);
      world.signal.removeEventListener('abort', stop);
      server.close();
      server.closeAllConnections();
    },
  };
}

function show(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(`${text}\n`);
}
