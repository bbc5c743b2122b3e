import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import type { SessionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { seal } from '#core/crypto/seal.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import { putJob } from '#core/jobs/jobs.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import { Problem } from '#core/problem/problem.ts';
import { endGrants } from './grants.ts';
import { REVOKE, type Revocation } from './revoke.ts';
import { type HeldTokens, readTokens } from './tokens.ts';

/**
 * Tokens that nobody here needs any more go back to their issuer: by a job each, put in the transaction that ends them.
 * So nobody waits for a stranger's server, and no crash forgets one.
 */

type Db = Kysely<Schema>;
export type GiveBackDeps = Pick<SessionsBase, 'keys' | 'clock' | 'log'>;

/** Of these connections of one user. First of all in its transaction: a refresh under way ends before, or is too late. */
export async function giveBackTokens(
  trx: Db,
  deps: GiveBackDeps,
  { user_id, ids }: { user_id: string; ids: readonly string[] },
): Promise<void> {
  for (const { connection_id: id, discovery } of await endGrants(trx, ids)) {
    const held = await readable(trx, deps, { id, user_id });
    if (held !== null) await postRevocation(trx, deps, discovery, held);
  }
}

/** What does not open cannot be given back, and keeps nobody from deleting it. */
async function readable(trx: Db, { keys, log }: GiveBackDeps, connection: Pick<Connection, 'id' | 'user_id'>) {
  try {
    return await readTokens(trx, keys, connection);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error, connection_id: connection.id }, 'tokens could not be decrypted; not revoked');
    return null;
  }
}

interface Server {
  revocation_endpoint?: string;
  token_endpoint_auth_methods_supported?: string[];
}

/** Nothing where the issuer takes none back. */
export async function postRevocation(
  trx: Db,
  { keys, clock }: GiveBackDeps,
  discovery: OAuthDiscoveryState,
  { refresh_token, access_token, client }: HeldTokens,
): Promise<void> {
  const server = (discovery.authorizationServerMetadata ?? {}) as Server;
  const { revocation_endpoint: endpoint, token_endpoint_auth_methods_supported: methods = [] } = server;
  if (endpoint === undefined) return;
  // The refresh token where there is one: the issuer ends its access tokens with it.
  const hint = refresh_token === null ? 'access_token' : 'refresh_token';
  const revocation: Revocation = { endpoint, methods, client, token: refresh_token ?? access_token, hint };
  const key = newId();
  const sealed = seal(keys, JSON.stringify(revocation), payloadContext(REVOKE, key));
  await putJob(trx, { kind: REVOKE, key, payload: { sealed, posted_at_ms: clock.now() } }, clock.now());
}
