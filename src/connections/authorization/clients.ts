import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { isProblem } from '#core/problem/problem.ts';

/** Our registrations at issuers, one client each: the only SQL that uses `connection_clients`. */

interface ClientPlace {
  issuer: string;
  redirect_uri: string;
}

export const clientContext = ({ issuer, redirect_uri }: ClientPlace): string =>
  `oauth client|${issuer}|${redirect_uri}`;

/** Also undefined if it was encrypted with a key that is gone: we can register again. */
export async function findClient(
  db: Kysely<Schema>,
  keys: KeyProvider,
  place: ClientPlace,
): Promise<{ client: StoredOAuthClientInformation; created_at: string } | undefined> {
  const { issuer, redirect_uri } = place;
  const row = await db
    .selectFrom('connection_clients')
    .select(['sealed', 'created_at'])
    .where((eb) => eb.and({ issuer, redirect_uri }))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  try {
    const client = JSON.parse(unseal(keys, row.sealed, clientContext(place)).toString());
    return { client, created_at: row.created_at };
  } catch (error) {
    if (isProblem(error, 'crypto.key_required')) return undefined;
    throw error;
  }
}

export async function saveClient(
  db: Kysely<Schema>,
  keys: KeyProvider,
  place: ClientPlace,
  client: StoredOAuthClientInformation,
  now_ms: number,
): Promise<void> {
  const { issuer, redirect_uri } = place;
  const written = { sealed: seal(keys, JSON.stringify(client), clientContext(place)), created_at: isoTime(now_ms) };
  await db
    .insertInto('connection_clients')
    .values({ issuer, redirect_uri, ...written })
    .onConflict((conflict) => conflict.columns(['issuer', 'redirect_uri']).doUpdateSet(written))
    .execute();
}

/** Called when the issuer no longer knows the client. */
export const forgetClient = async (db: Kysely<Schema>, { issuer, redirect_uri }: ClientPlace): Promise<void> =>
  void (await db
    .deleteFrom('connection_clients')
    .where((eb) => eb.and({ issuer, redirect_uri }))
    .execute());
