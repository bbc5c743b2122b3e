import { CapstanError } from '../../../sdk/src/index.ts';
import { EXIT, Failure } from '../failure.ts';
import { type StoredToken, storeToken } from '../profile.ts';
import type { World } from '../world.ts';

/** What the token endpoint answers (RFC 6749, section 5). */
interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
}

export const AGAIN = { fix: 'Sign in: capstan login', exit_code: EXIT.denied };

/** Renewed this long before its end. */
const EARLY_MS = 60_000;

export async function askTokens(world: World, url: string, form: Record<string, string>): Promise<StoredToken> {
  const body = new URLSearchParams({ ...form, resource: url });
  const { status, answer } = await askOauth<TokenAnswer>(world, `${url}/oauth/token`, body);
  const { access_token, refresh_token = '', expires_in, error_description } = answer;
  if (status !== 200 || access_token === undefined)
    throw new Failure(
      'cli.sign_in',
      error_description ?? `The sign-in failed: the service returned status ${status}.`,
      AGAIN,
    );
  const expires_at = expires_in === undefined ? null : new Date(Date.now() + expires_in * 1_000).toISOString();
  return { access_token, refresh_token, client_id: form.client_id as string, expires_at };
}

/** What one of the service's OAuth endpoints answers: JSON, or nothing that is known. */
export async function askOauth<T>(
  world: World,
  endpoint: string,
  given: URLSearchParams | object,
): Promise<{ status: number; answer: Partial<T> & { error_description?: string } }> {
  const isForm = given instanceof URLSearchParams;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await world
    .fetch(endpoint, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': type },
      signal: world.signal,
      body: isForm ? `${given}` : JSON.stringify(given),
    })
    .catch((cause: Error) => {
      world.signal.throwIfAborted();
      const detail = `POST ${endpoint} failed: ${cause.message}`;
      throw new CapstanError({ kind: 'network', code: 'sdk.network', detail, cause });
    });
  return { status: response.status, answer: (await response.json().catch(() => ({}))) as never };
}

/** As it is where it still holds; else renewed and kept. One that cannot be renewed is used, and refused by the service. */
export async function renewed(world: World, url: string, token: StoredToken): Promise<StoredToken> {
  const { refresh_token, client_id, expires_at } = token;
  if (refresh_token === '' || expires_at === null || Date.parse(expires_at) - EARLY_MS > Date.now()) return token;
  const next = await askTokens(world, url, { grant_type: 'refresh_token', refresh_token, client_id });
  await storeToken(world, url, next);
  return next;
}
