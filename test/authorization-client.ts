import { createHash, randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Browser, createBrowser } from './fakes/browser.ts';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from './fakes/localhost-certificate.ts';
import type { TestWallet } from './wallet-keys.ts';

/** A client and a user before the authorization server: what both send, form by form, through a browser with cookies. */

export const REDIRECT_URI = 'http://127.0.0.1:8765/callback';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-the-verifier';
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Asks the service; in process or over a socket. */
type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  /** The hidden fields of the form with this action. */
  fields(action: string): Record<string, string>;
}

/** One browser at the pages of a service. */
export interface Visitor {
  browser: Browser;
  open(query: Record<string, string>): Promise<Page>;
  submit(
    page: Page,
    action: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** The page that a redirect of ours leads to. */
  follow(answer: Response): Promise<Page>;
  withEmail(page: Page, email: string, password: string): Promise<Page>;
  withWallet(page: Page, wallet: TestWallet): Promise<Page>;
  /** Where the client gets its answer. */
  decide(page: Page, decision?: 'allow' | 'deny'): Promise<URL>;
}

export function createVisitor(base_url: string, browser = createBrowser()): Visitor {
  const read = async (url: string, answer: Response): Promise<Page> => {
    const html = await answer.text();
    return { url, status: answer.status, headers: answer.headers, html, fields: (action) => fieldsOf(html, action) };
  };
  const get = async (url: string) => read(url, await browser.send(url, { headers: { accept: 'text/html' } }));
  const submit: Visitor['submit'] = (page, action, fields = {}, headers = {}) =>
    browser.send(base_url + action, {
      method: 'POST',
      headers: { accept: 'text/html', origin: base_url, ...headers },
      body: new URLSearchParams({ ...page.fields(action), ...fields }),
    });
  const follow: Visitor['follow'] = async (answer) => {
    const location = answer.headers.get('location');
    return location === null ? read(answer.url, answer) : get(new URL(location, base_url).href);
  };
  return {
    browser,
    submit,
    follow,
    open: (query) => get(`${base_url}/oauth/authorize?${new URLSearchParams(query)}`),
    withEmail: async (page, email, password) => follow(await submit(page, '/oauth/sign-in/email', { email, password })),
    withWallet: async (page, { wallet_type, address, sign }) => {
      const asked = await browser.send(`${base_url}/api/wallets/challenge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ wallet_type, wallet_address: address }),
      });
      const { challenge_id, message } = (await asked.json()) as { challenge_id: string; message: string };
      return follow(await submit(page, '/oauth/sign-in/wallet', { challenge_id, signature: await sign(message) }));
    },
    decide: async (page, decision = 'allow') => {
      const answer = await submit(page, '/oauth/authorize', { decision });
      return new URL(answer.headers.get('location') ?? `${base_url}/nowhere?status=${answer.status}`);
    },
  };
}

function fieldsOf(html: string, action: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs = form
    .slice(0, form.indexOf('</form>'))
    .matchAll(/<input type="hidden" name="(\w+)"(?: value="([^"]*)")?>/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name as string, unescaped(value ?? '')]));
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (text: string): string => text.replace(/&\w+;|&#39;/g, (match) => ENTITIES[match] as string);

/** A registered client's own part. */
export interface TestClient {
  client_id: string;
  query(more?: Record<string, string | undefined>): Record<string, string>;
  token(fields: Record<string, string | undefined>): Promise<{ status: number; body: Record<string, string> }>;
  redeem(code: string, more?: Record<string, string | undefined>): ReturnType<TestClient['token']>;
  refresh(refreshToken: string, more?: Record<string, string>): ReturnType<TestClient['token']>;
}

export function testClient(ask: Ask, client_id: string, redirect_uri = REDIRECT_URI): TestClient {
  const token: TestClient['token'] = async (fields) => {
    const answer = await ask('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams(given({ client_id, ...fields }))}`,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  return {
    client_id,
    token,
    query: (more = {}) =>
      given({
        response_type: 'code',
        client_id,
        redirect_uri,
        scope: 'read write',
        state: randomBytes(8).toString('hex'),
        code_challenge: challengeOf(VERIFIER),
        code_challenge_method: 'S256',
        ...more,
      }),
    redeem: (code, more = {}) =>
      token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: VERIFIER, ...more }),
    refresh: (refresh_token, more = {}) => token({ grant_type: 'refresh_token', refresh_token, ...more }),
  };
}

const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

async function register(ask: Ask, metadata: object = {}): Promise<Response> {
  const body = JSON.stringify({ client_name: 'An editor', redirect_uris: [REDIRECT_URI], ...metadata });
  return ask('/oauth/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

export const registered = async (ask: Ask, metadata: object = {}): Promise<TestClient> =>
  testClient(ask, ((await (await register(ask, metadata)).json()) as { client_id: string }).client_id);

/** A server for client id metadata documents; over https with a certificate that this process then takes. */
export async function serveDocuments(
  listener: RequestListener,
  secure: boolean,
): Promise<{ url: string; close(): void }> {
  if (secure) setDefaultCACertificates([...getCACertificates(), LOCALHOST_CERTIFICATE]);
  const server = secure
    ? createHttpsServer({ key: LOCALHOST_KEY, cert: LOCALHOST_CERTIFICATE }, listener)
    : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: secure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
