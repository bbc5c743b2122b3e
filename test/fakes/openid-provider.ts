import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** A real OpenID provider on loopback that knows its users and asks them nothing. */

interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface OpenIdProvider {
  url: string;
  client_id: string;
  client_secret: string;
  /** By subject. */
  accounts: Record<string, ProviderAccount>;
  /** The subject that signs in next. */
  subject: string;
  /** The user says no. */
  denies: boolean;
  /** Rewrites the claims of the next ID tokens; they are signed again, with the key of this name. */
  forge: ((claims: JWTPayload) => { claims?: JWTPayload; key?: 'own' | 'other' }) | null;
  /** Answers a path in the provider's place. */
  fault: (path: string, response: ServerResponse) => boolean;
  /** Paths that were asked, in order. */
  requests: string[];
  close(): Promise<void>;
}

export async function startOpenIdProvider(redirect_uri: string): Promise<OpenIdProvider> {
  let handler: RequestListener = () => {};
  const http = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const keys = { own: await generateKeyPair('RS256', { extractable: true }), other: await generateKeyPair('RS256') };
  const started: OpenIdProvider = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    client_id: 'capstan-test',
    client_secret: 'a secret of the test',
    accounts: {},
    subject: 'ada',
    denies: false,
    forge: null,
    fault: () => false,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const provider = makeProvider(started, redirect_uri, { ...(await exportJWK(keys.own.privateKey)), kid: 'own' });
  const answer = provider.callback();
  handler = async (request, response) => {
    const path = new URL(request.url ?? '/', started.url).pathname;
    started.requests.push(path);
    if (started.fault(path, response)) return;
    if (path.startsWith('/interaction/')) return interact(started, provider, request, response);
    if (path === '/token') forgeAnswers(started, keys, response);
    answer(request, response);
  };
  return started;
}

const makeProvider = (running: OpenIdProvider, redirectUri: string, jwk: object): Provider =>
  new Provider(running.url, {
    clients: [
      {
        client_id: running.client_id,
        client_secret: running.client_secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [{ ...jwk, alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As Google does: the ID token itself says who it is.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...running.accounts[sub] }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });

/** Signs in and consents for the user. */
async function interact(
  running: OpenIdProvider,
  provider: Provider,
  ...[request, response]: Parameters<RequestListener>
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const finish = (result: object) => provider.interactionFinished(request, response, result);
  if (running.denies) return finish({ error: 'access_denied', error_description: 'The user said no' });
  if (prompt.name === 'login') return finish({ login: { accountId: running.subject } });
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  return finish({ consent: { grantId: await grant.save() } });
}

type Keys = Record<'own' | 'other', Awaited<ReturnType<typeof generateKeyPair>>>;

/** Puts the forged ID token into the answer of the token endpoint. */
function forgeAnswers(running: OpenIdProvider, keys: Keys, response: ServerResponse): void {
  const { forge } = running;
  if (forge === null) return;
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  const sign = async (body: string): Promise<string> => {
    const tokens = JSON.parse(body);
    if (tokens.id_token === undefined) return body;
    const payload = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString());
    const { claims = payload, key = 'own' } = forge(payload);
    const id_token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(keys[key].privateKey);
    return JSON.stringify({ ...tokens, id_token });
  };
  response.end = ((body: string | Buffer) => {
    sign(`${body}`).then(
      (text) => {
        response.setHeader('content-length', Buffer.byteLength(text));
        end(text);
      },
      (error) => response.destroy(error),
    );
    return response;
  }) as typeof response.end;
}
