import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { safe } from '../output.ts';
import type { StoredToken } from '../profile.ts';
import type { World } from '../world.ts';
import { AGAIN, askOauth, askTokens } from './tokens.ts';

/** Signing in by the browser: OAuth 2.1 with PKCE, the answer taken on loopback (RFC 8252). */

const WAIT_MS = 300_000;

export async function signInByBrowser({ world, during }: Context, url: string): Promise<StoredToken> {
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const landing = await listen(world, state);
  try {
    const redirect_uri = `http://127.0.0.1:${landing.port}/callback`;
    const client_id = await register(world, url, redirect_uri);
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri, state, scope: 'read write', resource: url },
      ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
    });
    const page = `${url}/oauth/authorize?${asked}`;
    const opened = await world.openBrowser(page);
    // Said even where little is wanted: without it nobody could go on.
    const words = opened ? 'Sign in in the browser; if none opened' : 'Open this address to sign in';
    world.stderr.write(safe(`${words}: ${page}\n`));
    const code = await during('waiting for the sign-in', () => landing.code);
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id, redirect_uri };
    return await askTokens(world, url, grant);
  } finally {
    landing.close();
  }
}

async function register(world: World, url: string, redirect_uri: string): Promise<string> {
  const asked = { client_name: 'Capstan command line', redirect_uris: [redirect_uri] };
  const { status, answer } = await askOauth<{ client_id: string }>(world, `${url}/oauth/register`, asked);
  if (answer.client_id !== undefined) return answer.client_id;
  const detail = answer.error_description ?? `The service at ${url} answers ${status} to the registration.`;
  const fix = 'Is it a Capstan service? Without a browser: capstan login --wallet, --email or --with-token.';
  throw new Failure('cli.sign_in', detail, { fix });
}

/** One answer with the right state, and the server is gone. */
async function listen(world: World, state: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? new URL('http://127.0.0.1');
    // Whatever else asks here, another page for one, changes nothing.
    if (pathname !== '/callback' || searchParams.get('state') !== state) answer(response, 404, 'Nothing is here.');
    else end(response, searchParams);
  };
  const end = (response: ServerResponse, searchParams: URLSearchParams): void => {
    const code = searchParams.get('code');
    answer(response, 200, code === null ? 'You were not signed in.' : 'You are signed in. This window can be closed.');
    const why = searchParams.get('error_description') ?? searchParams.get('error') ?? 'no code came';
    if (code !== null) resolve(code);
    else reject(new Failure('cli.sign_in', `The sign-in ended without one: ${why}.`, AGAIN));
  };
  const server = createServer(take);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const late = setTimeout(() => {
    reject(new Failure('cli.sign_in', 'Nobody signed in within five minutes.', AGAIN));
  }, WAIT_MS);
  const stop = () => reject(world.signal.reason);
  world.signal.addEventListener('abort', stop, { once: true });
  return {
    port: (server.address() as AddressInfo).port,
    code: promise,
    close(): void {
      clearTimeout(late);
      world.signal.removeEventListener('abort', stop);
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(`${text}\n`);
}
