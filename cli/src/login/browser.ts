import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { safe } from '../output.ts';
import type { StoredToken } from '../profile.ts';
import type { World } from '../world.ts';
import { openLanding } from './landing.ts';
import { AGAIN, askOauth, askTokens } from './tokens.ts';

/** Signing in by the browser: OAuth 2.1 with PKCE, the answer taken on loopback (RFC 8252). */

export async function signInByBrowser({ world, during }: Context, url: string): Promise<StoredToken> {
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const landing = await openLanding(world, AGAIN);
  try {
    const redirect_uri = landing.url;
    const client_id = await register(world, url, redirect_uri);
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      state,
      scope: 'read write',
      resource: url,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = `${url}/oauth/authorize?${asked}`;
    const landed = landing.answer(state);
    const opened = await world.openBrowser(page);
    // Said even where little is wanted: without it nobody could go on.
    const words = opened ? 'Continue in the browser; if it did not open' : 'Open this URL to sign in';
    world.stderr.write(safe(`${words}: ${page}\n`));
    const answer = await during('waiting for the sign-in', () => landed);
    const code = answer.get('code');
    if (code === null) throw refused(answer);
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id, redirect_uri };
    return await askTokens(world, url, grant);
  } finally {
    landing.close();
  }
}

async function register(world: World, url: string, redirectUri: string): Promise<string> {
  const asked = { client_name: 'Capstan command line', redirect_uris: [redirectUri] };
  const { status, answer } = await askOauth<{ client_id: string }>(world, `${url}/oauth/register`, asked);
  if (answer.client_id !== undefined) return answer.client_id;
  const detail = answer.error_description ?? `Client registration failed: ${url} returned status ${status}.`;
  const fix =
    'Check that it is a Capstan service. To sign in without a browser: capstan login --wallet, --email or ' +
    '--with-token.';
  throw new Failure('cli.sign_in', detail, { fix });
}

function refused(answer: URLSearchParams): Failure {
  const why = answer.get('error_description') ?? answer.get('error') ?? 'no authorization code received';
  return new Failure('cli.sign_in', `The sign-in failed: ${why}.`, AGAIN);
}
