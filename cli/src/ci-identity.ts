import { usage } from './failure.ts';
import type { World } from './world.ts';

/** The identity token of the CI job that this program runs in, for a service. It is never printed. */
export async function ciIdentity({ env, fetch, signal }: World, audience: string): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret, CAPSTAN_ID_TOKEN: given } = env;
  if (given) return given;
  if (!url || !secret)
    throw usage(
      'This is not a CI job with an identity.',
      'In GitHub Actions, give the job the permission "id-token: write". In GitLab, set CAPSTAN_ID_TOKEN under id_tokens.',
    );
  const address = new URL(url);
  address.searchParams.set('audience', audience);
  const answer = await fetch(address.href, { headers: { authorization: `Bearer ${secret}` }, signal });
  const { value } = answer.ok ? ((await answer.json()) as { value?: unknown }) : {};
  if (typeof value === 'string') return value;
  throw usage(
    `GitHub Actions gave no identity token (${answer.status}).`,
    'Check that the job has the permission "id-token: write".',
  );
}
