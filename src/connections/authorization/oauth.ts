import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { updateConnection } from '#connections/connections/connections.ts';
import type { Challenge, OAuth } from '#connections/connections/seams.ts';
import { briefOf } from '#core/problem/problem.ts';
import { readChallenge } from './challenge.ts';
import { giveBackTokens } from './give-back.ts';
import { findGrant, wantScope } from './grants.ts';
import { endGrant, type Keeper, openKeeper } from './keeper.ts';
import { scopeNeeded } from './problems.ts';
import { loadSdk } from './sdk.ts';
import { type HeldTokens, readTokens } from './tokens.ts';

/** OAuth for tool calls: a valid token, and what to do after a rejection. */
export function openOAuth(base: ConnectionsBase): OAuth {
  const keeper = openKeeper(base);
  return {
    accessToken: async (connection) => {
      const { access_token, refresh_token, client, version } = await keeper.token(connection);
      const secrets = [access_token, refresh_token, client.client_secret].filter(
        (secret) => typeof secret === 'string',
      );
      return { token: access_token, version: `${version}`, secrets };
    },
    refreshOrRequire: (connection, challenge) => afterRefusal(base, keeper, connection, challenge),
    giveBack: (trx, of) => giveBackTokens(trx, base, of),
  };
}

async function afterRefusal(
  base: ConnectionsBase,
  keeper: Keeper,
  connection: Connection,
  { status, www_authenticate, version }: Challenge,
): Promise<'again' | 'sign_in'> {
  const held = await readTokens(base.db, base.keys, connection);
  if (held === null) return 'sign_in';
  if (`${held.version}` !== version) return 'again';
  const sdk = await loadSdk();
  const { scope, error } = readChallenge(sdk, www_authenticate);
  if (error === 'insufficient_scope') {
    await askForScope(base, connection, sdk.computeScopeUnion(held.scope, scope) ?? '');
    return 'sign_in';
  }
  // Any other 403 concerns the call, not the token.
  if (status === 403) return 'sign_in';
  if (isNew(held, base.clock.now())) return (await endGrant(base, connection, held.version)) ? 'sign_in' : 'again';
  return (await keeper.another(connection, held)) === null ? 'sign_in' : 'again';
}

const NEW_MS = 10_000;

/** A server that rejects a new token would reject the next one too. */
const isNew = ({ obtained_at_ms, expires_at_ms }: HeldTokens, nowMs: number): boolean =>
  nowMs - obtained_at_ms < NEW_MS && (expires_at_ms === null || nowMs < expires_at_ms);

/** Keeps the grant: the token remains valid for everything else. */
async function askForScope({ db }: ConnectionsBase, { id }: Connection, scope: string): Promise<void> {
  const grant = await findGrant(db, id);
  if (grant !== undefined) await wantScope(db, id, scope);
  await updateConnection(db, id, { status: 'auth_required', last_error: briefOf(scopeNeeded()) });
}
