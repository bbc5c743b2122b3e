import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ConnectionGrantRow } from '#core/db/schema-connections.ts';
import type { HeldTokens } from './tokens.ts';

/**
 * OAuth grants of connections, and who refreshes them: the only SQL that uses `connection_grants`. Each change of the
 * tokens increases the version, which is a fencing token for every write.
 */

type Db = Kysely<Schema>;

export interface Grant extends Omit<ConnectionGrantRow, 'discovery'> {
  discovery: OAuthDiscoveryState;
}

export async function findGrant(db: Db, connection_id: string): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('connection_grants')
    .selectAll()
    .where('connection_id', '=', connection_id)
    .executeTakeFirst();
  return grantOf(row);
}

interface SignedGrant {
  connection_id: string;
  issuer: string;
  resource: string;
  scope: string;
  discovery: OAuthDiscoveryState;
  client_id: string;
  now_ms: number;
}

/**
 * After an authorization: a version above the previous one. Returns the version; its expiry is written with the tokens.
 */
export async function putGrant(trx: Db, { now_ms, connection_id, discovery, ...rest }: SignedGrant): Promise<number> {
  const written = {
    ...rest,
    wanted_scope: rest.scope,
    discovery: JSON.stringify(discovery),
    refreshed_at: isoTime(now_ms),
    expires_at: null,
    lease_holder: null,
    lease_until: null,
  };
  const { version } = await trx
    .insertInto('connection_grants')
    .values({ connection_id, version: 1, ...written })
    .onConflict((conflict) =>
      conflict
        .column('connection_id')
        .doUpdateSet((eb) => ({ ...written, version: eb('connection_grants.version', '+', 1) })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export interface Lease {
  connection_id: string;
  version: number;
  holder: string;
}

/**
 * Takes the right to refresh this version's tokens; undefined if another process has it, or they were already
 * refreshed.
 */
export async function takeLease(
  db: Db,
  { connection_id, version, holder }: Lease,
  { now_ms, lease_ms }: { now_ms: number; lease_ms: number },
): Promise<Grant | undefined> {
  const row = await db
    .updateTable('connection_grants')
    .set({ lease_holder: holder, lease_until: isoTime(now_ms + lease_ms) })
    .where((eb) => eb.and({ connection_id, version }))
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', isoTime(now_ms))]))
    .returningAll()
    .executeTakeFirst();
  return grantOf(row);
}

/** After a temporary failure: nobody retries before `until_ms`. */
export const delayRefresh = async (db: Db, lease: Lease, until_ms: number): Promise<void> =>
  void (await db
    .updateTable('connection_grants')
    .set({ lease_until: isoTime(until_ms) })
    .where(heldBy(lease))
    .execute());

/** Records new tokens. Returns false if the lease was lost. */
export const passVersion = (trx: Db, lease: Lease, held: HeldTokens): Promise<boolean> =>
  change(trx, lease, {
    version: held.version,
    scope: held.scope,
    expires_at: held.expires_at_ms === null ? null : isoTime(held.expires_at_ms),
    refreshed_at: isoTime(held.obtained_at_ms),
    lease_holder: null,
    lease_until: null,
  });

/**
 * After a permanent end. Returns false if the user has authorized again in the meantime. The requested scopes are kept
 * for the next authorization.
 */
export async function endVersion(trx: Db, connection_id: string, version: number): Promise<boolean> {
  const rows = await trx
    .updateTable('connection_grants')
    .set({ version: version + 1, expires_at: null, lease_holder: null, lease_until: null })
    .where((eb) => eb.and({ connection_id, version }))
    .returning('version')
    .execute();
  return rows.length === 1;
}

/**
 * Ends all of these grants, even during a refresh, and locks their rows. Does nothing for connections that never had
 * one.
 */
export async function endGrants(trx: Db, connection_ids: readonly string[]): Promise<Grant[]> {
  if (connection_ids.length === 0) return [];
  const rows = await trx
    .updateTable('connection_grants')
    .set((eb) => ({ version: eb('version', '+', 1), expires_at: null, lease_holder: null, lease_until: null }))
    .where('connection_id', 'in', connection_ids)
    .returningAll()
    .execute();
  return rows.flatMap((row) => grantOf(row) ?? []);
}

export const wantScope = async (db: Db, connection_id: string, wanted_scope: string): Promise<void> =>
  void (await db
    .updateTable('connection_grants')
    .set({ wanted_scope })
    .where('connection_id', '=', connection_id)
    .execute());

const heldBy =
  ({ connection_id, version, holder }: Lease) =>
  (eb: ExpressionBuilder<Schema, 'connection_grants'>) =>
    eb.and({ connection_id, version, lease_holder: holder });

async function change(trx: Db, lease: Lease, set: Partial<ConnectionGrantRow>): Promise<boolean> {
  const rows = await trx.updateTable('connection_grants').set(set).where(heldBy(lease)).returning('version').execute();
  return rows.length === 1;
}

const grantOf = (row: ConnectionGrantRow | undefined): Grant | undefined =>
  row === undefined ? undefined : { ...row, discovery: JSON.parse(row.discovery) };
