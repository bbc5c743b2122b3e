import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { updateConnection } from '#connections/connections/connections.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { briefOf } from '#core/problem/problem.ts';
import { isMeantFor } from './audience.ts';
import { redirectUri } from './client-metadata.ts';
import { forgetClient } from './clients.ts';
import { postRevocation } from './give-back.ts';
import { delayRefresh, endVersion, type Grant, type Lease, passVersion, takeLease } from './grants.ts';
import { isPassingRefusal, oauthFetch, Refused } from './oauth-fetch.ts';
import { authRequired, grantEnded, refreshFailed } from './problems.ts';
import { loadSdk } from './sdk.ts';
import { type HeldTokens, heldTokens, isUsable, readTokens, writeTokens } from './tokens.ts';

/**
 * Refreshes tokens: once per expiry, whatever the number of processes. The holder of the lease on the grant's version
 * refreshes; others use the old token while it is valid, or wait.
 */
export interface Keeper {
  /** Returns a valid token. Throws `connections.authorization_required` (`auth_required`) or `connections.oauth_failed` (`refresh`). */
  token(connection: Connection): Promise<HeldTokens>;
  /** Returns another token than this one, which the server rejected; null if there is none. */
  another(connection: Connection, refused: HeldTokens): Promise<HeldTokens | null>;
}

/** Longer than a refresh can take. */
const LEASE_MS = 20_000;
const WAIT_MS = 15_000;
const POLL_MS = 40;
/** After a temporary failure. */
const AGAIN_MS = 1_000;

/** `busy`: another process refreshes. `failed`: temporarily. `ended`: permanently. */
type Renewal = { how: 'renewed' | 'busy' | 'ended' } | { how: 'failed'; cause: unknown };

export function openKeeper(base: ConnectionsBase): Keeper {
  const { db, keys, clock, countRefresh } = base;
  const counted = (renewal: Renewal): Renewal => {
    if (renewal.how !== 'busy') countRefresh(renewal.how);
    return renewal;
  };
  const underWay = new Map<string, Promise<Renewal>>();
  /** Once in this process; the lease applies between processes. */
  const renewOnce = (connection: Connection, held: HeldTokens): Promise<Renewal> => {
    const key = `${connection.id} ${held.version}`;
    const begun =
      underWay.get(key) ??
      renew(base, connection, held)
        .then(counted)
        .finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
  /** Waits until the tokens have another version. */
  const renewed = async (connection: Connection, held: HeldTokens, mayKeep: () => boolean) => {
    const giveUpMs = clock.now() + WAIT_MS;
    for (;;) {
      const renewal = await renewOnce(connection, held);
      if (renewal.how === 'ended') return null;
      if (renewal.how !== 'renewed') {
        if (mayKeep()) return held;
        await sleep(POLL_MS);
      }
      const nowHeld = await readTokens(db, keys, connection);
      if (nowHeld?.version !== held.version) return nowHeld;
      if (clock.now() >= giveUpMs) throw refreshFailed(causeOf(renewal));
    }
  };
  return {
    token: async (connection) => {
      const held = await readTokens(db, keys, connection);
      if (held === null) throw authRequired();
      const { refresh_at_ms, expires_at_ms } = held;
      if (refresh_at_ms === null || clock.now() < refresh_at_ms) return held;
      const fresh = await renewed(connection, held, () => clock.now() < (expires_at_ms ?? 0));
      if (fresh === null) throw authRequired();
      return fresh;
    },
    another: async (connection, refused) => {
      if (refused.refresh_token !== null) return renewed(connection, refused, () => false);
      await endGrant(base, connection, refused.version);
      return readTokens(db, keys, connection);
    },
  };
}

function causeOf(renewal: Renewal): unknown {
  return renewal.how === 'failed' ? renewal.cause : undefined;
}

async function renew(base: ConnectionsBase, connection: Connection, held: HeldTokens): Promise<Renewal> {
  const { db, clock } = base;
  const { version, refresh_token, expires_at_ms } = held;
  if (refresh_token === null) {
    if (expires_at_ms !== null && clock.now() < expires_at_ms) return { how: 'busy' };
    return (await endGrant(base, connection, version)) ? { how: 'ended' } : { how: 'renewed' };
  }
  const lease: Lease = { connection_id: connection.id, version, holder: newId() };
  const grant = await takeLease(db, lease, { now_ms: clock.now(), lease_ms: LEASE_MS });
  if (grant === undefined) return { how: 'busy' };
  try {
    const fresh = await refresh(base, grant, { ...held, refresh_token });
    return (await keep(base, connection, { lease, grant, fresh })) ? { how: 'renewed' } : { how: 'busy' };
  } catch (error) {
    if (isForGood(error)) {
      await forgetIfDisowned(base, grant, error);
      return (await endGrant(base, connection, version)) ? { how: 'ended' } : { how: 'renewed' };
    }
    await delayRefresh(db, lease, clock.now() + AGAIN_MS);
    return { how: 'failed', cause: error };
  }
}

async function refresh(
  { clock, fetch }: ConnectionsBase,
  { discovery, resource }: Grant,
  held: HeldTokens & { refresh_token: string },
): Promise<HeldTokens> {
  const sdk = await loadSdk();
  const asked_at_ms = clock.now();
  const metadata = discovery.authorizationServerMetadata;
  const tokens = await sdk.refreshAuthorization(discovery.authorizationServerUrl, {
    clientInformation: held.client,
    refreshToken: held.refresh_token,
    fetchFn: oauthFetch(fetch).fetch,
    ...defined({ metadata, resource: resource || undefined }),
  });
  if (!isUsable(tokens)) throw new Refused(200, 'unsupported_token_type');
  if (!isMeantFor(tokens.access_token, resource)) throw new Refused(200, 'invalid_target');
  const version = held.version + 1;
  return heldTokens({ tokens, client: held.client, version, asked_scope: held.scope, asked_at_ms });
}

interface Renewed {
  lease: Lease;
  grant: Grant;
  fresh: HeldTokens;
}

/**
 * Returns false if a new authorization replaced the tokens, or if the grant ended and these tokens are being revoked.
 */
const keep = (base: ConnectionsBase, connection: Connection, { lease, grant, fresh }: Renewed) =>
  base.db.transaction().execute(async (trx) => {
    const isOurs = await passVersion(trx, lease, fresh);
    if (isOurs) await writeTokens(trx, base.keys, connection, fresh, base.clock.now());
    else if ((await readTokens(trx, base.keys, connection)) === null)
      await postRevocation(trx, base, grant.discovery, fresh);
    return isOurs;
  });

/** Returns false if there are newer tokens. */
export const endGrant = ({ db, keys, clock }: ConnectionsBase, connection: Connection, version: number) =>
  db.transaction().execute(async (trx) => {
    if (!(await endVersion(trx, connection.id, version))) return false;
    await writeTokens(trx, keys, connection, null, clock.now());
    await updateConnection(trx, connection.id, { status: 'auth_required', last_error: briefOf(grantEnded()) });
    return true;
  });

/** Only an OAuth error code is permanent; a 403 from a proxy proves nothing. */
const isForGood = (error: unknown): boolean =>
  error instanceof Refused && error.error !== '' && !isPassingRefusal(error);

async function forgetIfDisowned({ db, base_url }: ConnectionsBase, { issuer }: Grant, error: unknown): Promise<void> {
  if (error instanceof Refused && (error.error === 'invalid_client' || error.error === 'unauthorized_client'))
    await forgetClient(db, { issuer, redirect_uri: redirectUri(base_url) });
}
