import type { AuthDeps } from '#accounts/auth/deps.ts';
import { json, type Reply } from '#core/http/operation.ts';
import { browserCookie, readBrowser } from './browser-cookie.ts';
import { newSecrets, randomToken, saveFlow } from './flows.ts';
import type { Issuer } from './issuer.ts';
import { readReturnTo } from './return-to.ts';

/** Dependencies of the Google operations. */
export interface GoogleDeps extends AuthDeps {
  issuer: Issuer;
}

interface BeginRequest {
  body: { return_to?: string };
  headers: Record<string, string | string[] | undefined>;
}

/** Starts a flow for a sign-in, or for the account to link the Google account to. */
export async function begin(deps: GoogleDeps, { body, headers }: BeginRequest, user_id: string | null): Promise<Reply> {
  const { authorization_url, state, cookie } = await beginFlow(deps, headers, {
    user_id,
    return_to: readReturnTo(body.return_to),
  });
  return json({ authorization_url, state }, { headers: { 'set-cookie': cookie } });
}

/** `return_to` is a path on this service. */
export async function beginFlow(
  { database, clock, issuer, base_url }: GoogleDeps,
  headers: BeginRequest['headers'],
  flow: { user_id: string | null; return_to: string | null },
): Promise<{ authorization_url: string; state: string; cookie: string }> {
  // All flows of a browser share one value, so that two tabs do not invalidate each other.
  const browser = readBrowser(base_url, headers) ?? randomToken();
  const secrets = newSecrets();
  const authorization_url = await issuer.authorizationUrl({ ...secrets, redirect_uri: redirectUri(base_url) });
  await saveFlow(database, { ...secrets, browser, ...flow }, clock.now());
  return { authorization_url, state: secrets.state, cookie: browserCookie(base_url, browser) };
}

export const redirectUri = (base_url: string): string => `${base_url}/api/auth/google/callback`;
