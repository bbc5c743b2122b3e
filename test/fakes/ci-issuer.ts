import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A CI service on loopback that publishes its keys and makes identity tokens as GitHub Actions does. */
export interface CiIssuer {
  url: string;
  /** The key that signs from now on; published only if it is named in `published`. */
  key: string;
  /** Names of the keys that it publishes. */
  published: string[];
  /** Replace those of each job. */
  claims: Record<string, unknown>;
  /** Paths that were asked, in order. */
  requests: string[];
  /** A token with the claims of a job, each unique; `claims` replace them, undefined leaves one out. */
  token(audience: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** What the runner of a job has to ask for its token. */
export const JOB_SECRET = 'secret-of-the-job';

export async function startCiIssuer(now: () => number = Date.now): Promise<CiIssuer> {
  const keys = new Map<string, { privateKey: CryptoKey; publicKey: CryptoKey }>();
  const keyNamed = async (name: string) => {
    const key = keys.get(name) ?? (await generateKeyPair('RS256', { extractable: true }));
    keys.set(name, key);
    return key;
  };
  const http = createServer(async (request, response) => {
    issuer.requests.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/openid-configuration')
      return void response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }));
    // As a job of GitHub Actions asks for its token.
    const asked = new URL(request.url ?? '/', issuer.url);
    if (asked.pathname === '/job') {
      if (request.headers.authorization !== `Bearer ${JOB_SECRET}`) return void response.writeHead(401).end('{}');
      const value = await issuer.token(asked.searchParams.get('audience') ?? '');
      return void response.end(JSON.stringify({ value }));
    }
    const jwks = issuer.published.map(async (kid) => ({ ...(await exportJWK((await keyNamed(kid)).publicKey)), kid }));
    response.end(JSON.stringify({ keys: await Promise.all(jwks) }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  let made = 0;
  const issuer: CiIssuer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    key: 'first',
    published: ['first'],
    requests: [],
    claims: {},
    token: async (audience, claims = {}) => {
      made += 1;
      const seconds = Math.floor(now() / 1_000);
      const job: JWTPayload = {
        iss: issuer.url,
        aud: audience,
        sub: 'repo:ana/words:ref:refs/tags/v1',
        jti: `job-${made}`,
        iat: seconds,
        exp: seconds + 300,
        repository: 'ana/words',
        repository_owner_id: '1815',
        workflow_ref: 'ana/words/.github/workflows/release.yml@refs/tags/v1',
        ref: 'refs/tags/v1',
        sha: 'c0ffee'.padEnd(40, '0'),
        run_id: `${made}`,
        event_name: 'push',
        ...issuer.claims,
        ...claims,
      };
      const { privateKey } = await keyNamed(issuer.key);
      return new SignJWT(job).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: issuer.key }).sign(privateKey);
    },
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return issuer;
}
