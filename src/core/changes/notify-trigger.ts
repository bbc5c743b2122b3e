import { sql } from 'kysely';
import type { Database } from '#core/db/open.ts';

/**
 * On PostgreSQL a trigger announces changes, whichever statement of whichever process makes them. Engines write triggers
 * differently, so it is no part of a migration; it is installed after one.
 */

export const CHANNEL = 'capstan_changes';

/** Changes that parts of a process wait for. Others, such as entries of the audit log, would be noise. */
export const ANNOUNCED = ['listings', 'capabilities', 'published'] as const;

type Place = Pick<Database, 'db' | 'engine'>;

const TRIGGER = 'change_counters_notify';

/** PostgreSQL delivers it when the transaction commits, once however often it was called. */
export async function installNotifyTrigger({ db, engine }: Place): Promise<void> {
  if (engine === 'sqlite' || (await isNotifyTriggerInstalled({ db, engine }))) return;
  const names = ANNOUNCED.map((name) => `'${name}'`).join(', ');
  for (const statement of [
    `CREATE OR REPLACE FUNCTION ${TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM pg_notify('${CHANNEL}', '');
  RETURN NULL;
END
$body$`,
    `CREATE OR REPLACE TRIGGER ${TRIGGER} AFTER UPDATE OF value ON change_counters FOR EACH ROW
WHEN (NEW.name IN (${names})) EXECUTE FUNCTION ${TRIGGER}()`,
  ])
    await sql.raw(statement).execute(db);
}

export async function isNotifyTriggerInstalled({ db, engine }: Place): Promise<boolean> {
  if (engine === 'sqlite') return true;
  const { rows } = await sql`SELECT 1 FROM pg_trigger
    WHERE tgname = ${TRIGGER} AND tgrelid = to_regclass('change_counters')`.execute(db);
  return rows.length > 0;
}
