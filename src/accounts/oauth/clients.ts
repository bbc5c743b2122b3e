import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import type { Client } from './client.ts';

/** Clients that registered themselves. The only SQL that uses `oauth_clients`. */

const UNUSED_KEPT_MS = 86_400_000;
/** Longer than any of its sessions. */
const USED_KEPT_MS = 90 * 86_400_000;
/** Clients that no user has authorized. Above this, the oldest is deleted. */
const MOST_UNUSED = 10_000;
const CLEAN_MOST = 64;

export async function addClient(
  database: Database,
  { name, redirect_uris }: Pick<Client, 'name' | 'redirect_uris'>,
  now_ms: number,
  most_unused = MOST_UNUSED,
): Promise<string> {
  const id = newId();
  const { db } = database;
  await removeExpired(database, 'oauth_clients', now_ms, CLEAN_MOST);
  await db
    .insertInto('oauth_clients')
    .values({
      id,
      name,
      redirect_uris: JSON.stringify(redirect_uris),
      used_at: null,
      created_at: isoTime(now_ms),
      expires_at: isoTime(now_ms + UNUSED_KEPT_MS),
    })
    .execute();
  await db
    .deleteFrom('oauth_clients')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_clients')
        .select('id')
        .where('used_at', 'is', null)
        // Ids sort by time.
        .orderBy('id', 'desc')
        .offset(most_unused)
        .limit(CLEAN_MOST),
    )
    .execute();
  return id;
}

export async function findClient(db: Kysely<Schema>, id: string, now: string): Promise<Client | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { id, name: row.name, host: null, redirect_uris: JSON.parse(row.redirect_uris) as string[] };
}

/** Keeps a client that a user authorized or that refreshed its tokens. Clients with a document have no row. */
export async function keepClient(db: Kysely<Schema>, id: string, now_ms: number): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ used_at: isoTime(now_ms), expires_at: isoTime(now_ms + USED_KEPT_MS) })
    .where('id', '=', id)
    .execute();
}
