import { randomBytes } from 'node:crypto';
import type { OAuthDiscoveryState, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ConnectionFlowRow } from '#core/db/schema-connections.ts';
import { otherBrowser, stateExpired, stateUnknown, stateUsed } from './problems.ts';

/** Authorizations in progress: the only SQL that uses `connection_flows`. */

export const FLOW_LIFE_MS = 600_000;
/** Kept for a while after expiry, so that a late callback gets the reason. */
const FLOW_KEPT_MS = 3_600_000;
const CLEAN_MOST = 64;

export interface Flow {
  connection_id: string;
  user_id: string;
  return_to: string | null;
  server_url: string;
  resource: string;
  /** The requested scopes; may be empty. */
  scope: string;
  discovery: OAuthDiscoveryState;
  verifier: string;
  client: StoredOAuthClientInformation;
}

/** 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** `state` and `browser` are stored as hashes. Returns the expiry of the flow. */
export async function saveFlow(
  database: Database,
  keys: KeyProvider,
  { state, browser, ...flow }: Flow & { state: string; browser: string },
  now_ms: number,
): Promise<string> {
  const { connection_id, user_id, return_to, verifier, client, ...plain } = flow;
  const state_hash = sha256(state);
  const expires_at = isoTime(now_ms + FLOW_LIFE_MS);
  await removeExpired(database, 'connection_flows', now_ms - FLOW_KEPT_MS, CLEAN_MOST);
  await database.db
    .insertInto('connection_flows')
    .values({
      connection_id,
      user_id,
      return_to,
      state_hash,
      browser_hash: sha256(browser),
      sealed: seal(keys, JSON.stringify({ verifier, client }), flowContext({ user_id, connection_id, state_hash })),
      flow: JSON.stringify(plain),
      created_at: isoTime(now_ms),
      expires_at,
      used_at: null,
    })
    .execute();
  return expires_at;
}

/** Consumes the flow of this state: of concurrent callbacks, one gets it. The others get a 401 `sessions.oauth_…`. */
export async function takeFlow(
  db: Kysely<Schema>,
  keys: KeyProvider,
  { state, browser, now_ms }: { state: string; browser: string | null; now_ms: number },
): Promise<Flow> {
  const state_hash = sha256(state);
  const browser_hash = sha256(browser ?? '');
  const now = isoTime(now_ms);
  const taken = await db
    .updateTable('connection_flows')
    .set({ used_at: now })
    .where((eb) => eb.and({ state_hash, browser_hash }))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (taken !== undefined) return flowOf(keys, taken);
  const row = await db
    .selectFrom('connection_flows')
    .selectAll()
    .where('state_hash', '=', state_hash)
    .executeTakeFirst();
  // Checks the browser first, so that nobody else learns the state of a flow.
  if (row === undefined) throw stateUnknown();
  if (row.browser_hash !== browser_hash) throw otherBrowser();
  throw row.used_at === null ? stateExpired() : stateUsed();
}

/** Whether an authorization of this connection began since and its browser never came back. */
export const hasUnfinished = async (db: Kysely<Schema>, connection_id: string, since: string): Promise<boolean> =>
  (await db
    .selectFrom('connection_flows')
    .select('state_hash')
    .where('connection_id', '=', connection_id)
    .where('used_at', 'is', null)
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Returns where the browser of this flow returns to, in any state of the flow; null if nothing is known. */
export async function findReturn(
  db: Kysely<Schema>,
  state: string,
): Promise<Pick<ConnectionFlowRow, 'return_to' | 'connection_id'> | undefined> {
  return db
    .selectFrom('connection_flows')
    .select(['return_to', 'connection_id'])
    .where('state_hash', '=', sha256(state))
    .executeTakeFirst();
}

function flowOf(keys: KeyProvider, row: ConnectionFlowRow): Flow {
  const { connection_id, user_id, return_to } = row;
  const secret = JSON.parse(unseal(keys, row.sealed, flowContext(row)).toString());
  return { connection_id, user_id, return_to, ...JSON.parse(row.flow), ...secret };
}

export const flowContext = (flow: Pick<ConnectionFlowRow, 'user_id' | 'connection_id' | 'state_hash'>): string =>
  `oauth flow|${flow.user_id}|${flow.connection_id}|${flow.state_hash}`;
