import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';

/**
 * Secrets of connections: the only SQL that uses `connection_secrets`. Each is bound to its owner, connection, field
 * and version, so that a row copied from elsewhere, or from an earlier time, does not decrypt.
 */

type Db = Kysely<Schema>;

export interface SecretsPlace {
  /** From the caller, never from a row. */
  user_id: string;
  connection_id: string;
}

export interface Secrets {
  /** By field; without a prototype, because users name the fields. */
  values: Record<string, string>;
  /** Changes with every write. Reveals nothing about the values. */
  version: string;
}

/** Only the field may contain the separator, and the version is digits, so contexts are unique. */
export const secretContext = (place: SecretsPlace & { field: string; version: number }): string =>
  `${place.user_id}|${place.connection_id}|${place.field}|${place.version}`;

/** Writes these fields in one transaction, each with a new version; null deletes a field. */
export const putSecrets = (
  db: Db,
  keys: KeyProvider,
  place: SecretsPlace,
  fields: Record<string, string | null>,
  now: string,
): Promise<void> =>
  together(db, async (trx) => {
    // The same order everywhere, so that two writers do not deadlock.
    for (const [field, value] of Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
      if (value === null) await remove(trx, place, field);
      else while (!(await write(trx, keys, { ...place, field }, value, now)));
  });

/** Writes these fields and deletes all others. The caller must have locked the connection's row. */
export const replaceSecrets = (
  db: Db,
  keys: KeyProvider,
  place: SecretsPlace,
  fields: Record<string, string>,
  now: string,
): Promise<void> =>
  together(db, async (trx) => {
    const { connection_id } = place;
    const rows = await rowsOf(trx, connection_id);
    await trx.deleteFrom('connection_secrets').where('connection_id', '=', connection_id).execute();
    // Above all deleted versions, also for a field that was deleted and added again.
    const version = Math.max(0, ...rows.map((row) => row.version)) + 1;
    const written = Object.entries(fields).map(([field, value]) => {
      const sealed = seal(keys, value, secretContext({ ...place, field, version }));
      return { connection_id, field, version, sealed, updated_at: now };
    });
    if (written.length > 0) await trx.insertInto('connection_secrets').values(written).execute();
  });

/** For calls only: nothing else may keep the result. Throws `crypto.corrupt` for modified rows. */
export async function readSecrets(db: Db, keys: KeyProvider, place: SecretsPlace): Promise<Secrets> {
  const rows = await rowsOf(db, place.connection_id);
  const values: Record<string, string> = Object.create(null);
  for (const { field, version, sealed } of rows)
    values[field] = unseal(keys, sealed, secretContext({ ...place, field, version })).toString();
  const written = rows.map(({ field, version, updated_at }) => [field, version, updated_at]);
  return { values, version: createHash('sha256').update(JSON.stringify(written)).digest('base64url').slice(0, 16) };
}

const together = (db: Db, work: (trx: Db) => Promise<void>): Promise<void> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

const rowsOf = (db: Db, connection_id: string) => readRows(db, { connection_id });

const readRows = prepared(['connection_id'], (db, { connection_id }: { connection_id: string }) =>
  db.selectFrom('connection_secrets').selectAll().where('connection_id', '=', connection_id).orderBy('field'),
);

/** Returns false if it was changed in the meantime. */
async function write(
  trx: Db,
  keys: KeyProvider,
  { field, ...place }: SecretsPlace & { field: string },
  value: string,
  now: string,
): Promise<boolean> {
  const { connection_id } = place;
  const before = await trx
    .selectFrom('connection_secrets')
    .select('version')
    .where((eb) => eb.and({ connection_id, field }))
    .executeTakeFirst();
  const version = (before?.version ?? 0) + 1;
  const sealed = seal(keys, value, secretContext({ ...place, field, version }));
  const rows = await trx
    .insertInto('connection_secrets')
    .values({ connection_id, field, version, sealed, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['connection_id', 'field'])
        .doUpdateSet({ version, sealed, updated_at: now })
        .where('connection_secrets.version', '=', version - 1),
    )
    .returning('version')
    .execute();
  return rows.length === 1;
}

const remove = (trx: Db, { connection_id }: SecretsPlace, field: string) =>
  trx
    .deleteFrom('connection_secrets')
    .where((eb) => eb.and({ connection_id, field }))
    .execute();
