import { Failure } from '../failure.ts';
import { type StoredToken, storeToken } from '../profile.ts';
import type { World } from '../world.ts';

/** What the token endpoint answers (RFC 6749, section 5). */
interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
}

/** Renewed this long before its end. */
const EARLY_MS = 60_000;

export async function askTokens(world: World, url: string, form: Record<string, string>): Promise<StoredToken> {
  const response = await world.fetch(`${url}/oauth/token`, {
    ...{ method: 'POST', body: new URLSearchParams({ ...form, resource: url }), signal: world.signal },
    headers: { accept: 'application/json' },
  });
  const answer = (await response.json().catch(() => ({}))) as Partial<TokenAnswer> & { error_description?: string };
  if (!response.ok || answer.access_token === undefined)
    throw new Failure(
      'cli.sign_in',
      answer.error_description ?? `The service answers ${response.status} to the sign-in.`,
      {
        ...{ fix: 'Sign in: capstan login', exit_code: 4 },
      },
    );
  const expires_at =
    answer.expires_in === undefined ? null : new Date(Date.now() + answer.expires_in * 1_000).toISOString();
  const refresh_token = answer.refresh_token ?? '';
  return { access_token: answer.access_token, refresh_token, client_id: form.client_id as string, expires_at };
}

/** As it is where it still holds; else renewed and kept. One that cannot be renewed is used, and refused by the service. */
export async function renewed(world: World, url: string, token: StoredToken): Promise<StoredToken> {
  const { refresh_token, client_id, expires_at } = token;
  if (refresh_token === '' || expires_at === null || Date.parse(expires_at) - EARLY_MS > Date.now()) return token;
  const next = await askTokens(world, url, { grant_type: 'refresh_token', refresh_token, client_id });
  await storeToken(world, url, next);
  return next;
}
