import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ConnectionGrantRow } from '#core/db/schema-sessions.ts';
import type { HeldTokens } from './tokens.ts';

/**
 * What signing in to a connection's server knows, and who refreshes it: the only SQL that names `connection_grants`.
 * Each change of the tokens raises the version; every write is fenced by it.
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

export interface SignedGrant {
  connection_id: string;
  issuer: string;
  resource: string;
  scope: string;
  discovery: OAuthDiscoveryState;
  client_id: string;
  now_ms: number;
}

/** After a sign-in: above whatever stood there. Answers the version; its end is written with the tokens. */
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

/** The right to refresh this version's tokens; undefined where another has it, or they were refreshed before. */
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

/** After a failure that may pass: nobody tries before `until_ms`. */
export const delayRefresh = async (db: Db, lease: Lease, until_ms: number): Promise<void> =>
  void (await db
    .updateTable('connection_grants')
    .set({ lease_until: isoTime(until_ms) })
    .where(heldBy(lease))
    .execute());

/** The new tokens' place; false where the lease was lost. */
export const passVersion = (trx: Db, lease: Lease, held: HeldTokens): Promise<boolean> =>
  change(trx, lease, {
    version: held.version,
    scope: held.scope,
    expires_at: held.expires_at_ms === null ? null : isoTime(held.expires_at_ms),
    refreshed_at: isoTime(held.obtained_at_ms),
    lease_holder: null,
    lease_until: null,
  });

/** After an end for good; false where somebody signed in meanwhile. What was asked for is kept for the next sign-in. */
export const endVersion = async (trx: Db, connection_id: string, version: number): Promise<boolean> => {
  const rows = await trx
    .updateTable('connection_grants')
    .set({ version: version + 1, expires_at: null, lease_holder: null, lease_until: null })
    .where((eb) => eb.and({ connection_id, version }))
    .returning('version')
    .execute();
  return rows.length === 1;
};

/** All of these, whoever refreshes them now. Locks their rows; nothing is written for those that never had one. */
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
