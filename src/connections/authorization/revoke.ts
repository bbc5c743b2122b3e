import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import { unseal } from '#core/crypto/seal.ts';
import { endOf } from '#core/end.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import { Problem } from '#core/problem/problem.ts';
import { isPassing, oauthFetch, Refused } from './oauth-fetch.ts';
import { loadSdk } from './sdk.ts';

/** The job that revokes a token at its issuer (RFC 7009). In the end the token is deleted in any case. */

export const REVOKE = 'connection.revoke';

/** Everything that a revocation needs after its connection was deleted. */
export interface Revocation {
  endpoint: string;
  /** Supported client authentication methods; empty if the issuer does not say. */
  methods: string[];
  client: StoredOAuthClientInformation;
  token: string;
  hint: 'access_token' | 'refresh_token';
}

type RevokeDeps = Pick<ConnectionsBase, 'keys' | 'clock' | 'log' | 'fetch'>;

/** Limits how many slots a hanging issuer can occupy in a process. */
const CONCURRENCY = 4;
const GIVE_UP_MS = 86_400_000;
const SOONEST_MS = 30_000;
const TIMEOUT_MS = 3_000;

export const revokeKinds = (deps: RevokeDeps): Record<string, JobKind> => ({
  [REVOKE]: { handler: revoke(deps), concurrency: CONCURRENCY },
});

const revoke =
  (deps: RevokeDeps): JobHandler =>
  async ({ job, signal }) => {
    const { keys, clock, log } = deps;
    const { sealed, posted_at_ms } = job.payload as { sealed: string; posted_at_ms: number };
    const ageMs = clock.now() - posted_at_ms;
    const end = endOf({ timeout_ms: TIMEOUT_MS, with: [signal] });
    try {
      await ask(deps, JSON.parse(unseal(keys, sealed, payloadContext(REVOKE, job.key)).toString()), end.signal);
      return null;
    } catch (error) {
      if (signal.aborted) throw error;
      const mayPass = end.isLate() || isPassing(error);
      // The delay triples each time, about ten attempts in total, so that hanging issuers do not delay others for long.
      if (mayPass && ageMs < GIVE_UP_MS) return { again_at_ms: clock.now() + 2 * ageMs + SOONEST_MS };
      if (!mayPass && !isAnswer(error) && ageMs < GIVE_UP_MS) throw error;
      log.warn({ err: error, job_key: job.key }, 'issuer did not revoke a token; token deleted');
      return null;
    } finally {
      end.release();
    }
  };

/** True if another attempt would get the same response. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof Problem && error.code.startsWith('outbound.'));

async function ask({ fetch }: RevokeDeps, revocation: Revocation, signal: AbortSignal): Promise<void> {
  const sdk = await loadSdk();
  const request = requestOf(revocation, sdk.selectClientAuthMethod(revocation.client, revocation.methods));
  await oauthFetch(fetch, signal).fetch(revocation.endpoint, { method: 'POST', ...request });
}

function requestOf({ token, hint, client }: Revocation, method: string) {
  const { client_id, client_secret = '' } = client;
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const headers: Record<string, string> = {};
  if (method === 'client_secret_basic')
    headers.authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  else body.set('client_id', client_id);
  if (method === 'client_secret_post') body.set('client_secret', client_secret);
  return { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body };
}
