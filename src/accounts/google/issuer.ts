import type { Configuration, CustomFetch } from 'openid-client';
import { accountsProblem } from '#accounts/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { OutboundFetch, OutboundInit } from '#core/outbound/outbound.ts';
import { explainDiscovery, explainGrant } from './explain.ts';
import type { GOOGLE_SETTINGS } from './settings.ts';

/** The OpenID provider: starts a sign-in and verifies its result. OpenID Connect Core 1.0, RFC 9207. */
export interface Issuer {
  /** Throws `auth.google_unavailable`. */
  requireConfigured(): void;
  /** Throws `auth.google_unavailable`, `auth.google_failed`, `outbound.*`. */
  authorizationUrl(flowSecrets: FlowSecrets & { redirect_uri: string }): Promise<string>;
  /**
   * `callback` is the redirect URI with the provider's parameters. Throws `auth.google_denied`,
   * `auth.google_sign_in_invalid` (`not_verified`), and what `authorizationUrl` throws.
   */
  identify(callback: URL, flowSecrets: FlowSecrets): Promise<GoogleIdentity>;
}

export interface FlowSecrets {
  state: string;
  nonce: string;
  code_verifier: string;
}

export interface GoogleIdentity {
  subject: string;
  /** As verified by the provider; empty if there is none or it is unverified. */
  email: string;
  name: string;
}

export interface IssuerOptions {
  config: Values<typeof GOOGLE_SETTINGS>;
  fetch: OutboundFetch;
  clock: Clock;
}

/** The provider's endpoints and keys change rarely. */
const DISCOVERY_KEPT_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

export function createIssuer({ config, fetch, clock }: IssuerOptions): Issuer {
  let known: { at_ms: number; provider: Promise<Provider> } | undefined;
  /** Cached, except for failures. */
  const provider = (): Promise<Provider> => {
    if (known === undefined || clock.now() - known.at_ms > DISCOVERY_KEPT_MS) {
      const asked = { at_ms: clock.now(), provider: discover(config, fetch) };
      asked.provider.catch(() => {
        if (known === asked) known = undefined;
      });
      known = asked;
    }
    return known.provider;
  };
  return {
    requireConfigured: () => void credentialsOf(config),
    authorizationUrl: async ({ state, nonce, code_verifier, redirect_uri }) => {
      const { client, configuration } = await provider();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri,
        state,
        nonce,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    identify: async (callback, { state, nonce, code_verifier }) => {
      const { client, configuration } = await provider();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier };
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks).catch((error: unknown) => {
        throw explainGrant(error);
      });
      return identityOf(tokens.claims() as Claims);
    },
  };
}

type Client = typeof import('openid-client');
interface Provider {
  client: Client;
  configuration: Configuration;
}

async function discover(config: IssuerOptions['config'], fetch: OutboundFetch): Promise<Provider> {
  const { client_id, client_secret } = credentialsOf(config);
  // Loaded at the first sign-in, because most processes never see one.
  const client = await import('openid-client');
  const issuer = new URL(config.issuer);
  const configuration = await client
    .discovery(issuer, client_id, client_secret, undefined, {
      [client.customFetch]: limited(fetch),
      // The library trusts the connection to the token endpoint; this also verifies the signature.
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    })
    .catch((error: unknown) => {
      throw explainDiscovery(error);
    });
  return { client, configuration };
}

/** No redirects: the client secret is sent only to the discovered endpoint. */
const limited =
  (fetch: OutboundFetch): CustomFetch =>
  (url, { method, headers, body }) =>
    fetch(url, {
      method,
      headers,
      body: body as OutboundInit['body'],
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      max_redirects: 0,
    });

interface Claims {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
}

function identityOf({ sub, email, email_verified, name }: Claims): GoogleIdentity {
  const isVerified = email_verified === true || email_verified === 'true';
  return {
    subject: sub,
    email: isVerified && typeof email === 'string' ? email : '',
    name: typeof name === 'string' ? name : '',
  };
}

function credentialsOf({ client_id, client_secret }: IssuerOptions['config']) {
  if (client_id !== null && client_secret !== null) return { client_id, client_secret };
  throw accountsProblem(
    'auth.google_unavailable',
    'Google sign-in is not configured. Set CAPSTAN_GOOGLE_CLIENT_ID and CAPSTAN_GOOGLE_CLIENT_SECRET.',
  );
}
