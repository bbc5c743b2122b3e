import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import type { ConnectionsBase } from '#connections/connections/base.ts';
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
 * Revokes tokens that are no longer needed at their issuer, with one job each, inserted in the transaction that ends
 * them. So nobody waits for an external server, and a crash forgets none.
 */

type Db = Kysely<Schema>;
type GiveBackDeps = Pick<ConnectionsBase, 'keys' | 'clock' | 'log'>;

/**
 * For these connections of one user. Call it first in the transaction, so that a concurrent refresh ends before it or
 * fails.
 */
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

/** A token that cannot be decrypted cannot be revoked, but does not prevent the deletion. */
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

/** Does nothing if the issuer has no revocation endpoint. */
export async function postRevocation(
  trx: Db,
  { keys, clock }: GiveBackDeps,
  discovery: OAuthDiscoveryState,
  { refresh_token, access_token, client }: HeldTokens,
): Promise<void> {
  const server = (discovery.authorizationServerMetadata ?? {}) as Server;
  const { revocation_endpoint: endpoint, token_endpoint_auth_methods_supported: methods = [] } = server;
  if (endpoint === undefined) return;
  // Revokes the refresh token if there is one, which also ends its access tokens.
  const hint = refresh_token === null ? 'access_token' : 'refresh_token';
  const revocation: Revocation = { endpoint, methods, client, token: refresh_token ?? access_token, hint };
  const key = newId();
  const sealed = seal(keys, JSON.stringify(revocation), payloadContext(REVOKE, key));
  await putJob(trx, { kind: REVOKE, key, payload: { sealed, posted_at_ms: clock.now() } }, clock.now());
}
