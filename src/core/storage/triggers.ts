import { type Kysely, sql } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { CHARGED, type Charged, ownerOf, sizeOf } from './charged.ts';

/**
 * Triggers that keep `storage_usage` equal to the bytes of the charged rows, whatever changes them: requests, jobs,
 * deletion of an account, or processes of an older version. The engines have different trigger syntax, so they are
 * installed after migrations rather than in one.
 */

type Place = { db: Kysely<Schema>; engine: Database['engine'] };

/** Call it in the transaction of a migration to the newest version. */
export async function installStorageTriggers({ db, engine }: Place): Promise<void> {
  if (await areStorageTriggersInstalled({ db, engine })) return;
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(db);
  await db.deleteFrom('change_counters').where('name', 'like', `${MARK}%`).execute();
  await db
    .insertInto('change_counters')
    .values({ name: markOf(engine), value: 0 })
    .execute();
  // Rows were charged by other rules until now, or not at all.
  await db.updateTable('users').set({ storage_measured_at: null }).execute();
}

export async function areStorageTriggersInstalled({ db, engine }: Place): Promise<boolean> {
  const row = await db
    .selectFrom('change_counters')
    .select('name')
    .where('name', '=', markOf(engine))
    .executeTakeFirst();
  return row !== undefined;
}

const MARK = 'storage_triggers:';
const marks = new Map<Database['engine'], string>();

/** Identifies the trigger version by the trigger text. */
function markOf(engine: Database['engine']): string {
  const known = marks.get(engine);
  if (known !== undefined) return known;
  const digest = sha256(statementsOf(engine).join('\n')).slice(0, 16);
  const mark = `${MARK}${engine}:${digest}`;
  marks.set(engine, mark);
  return mark;
}

const statementsOf = (engine: Database['engine']): string[] =>
  engine === 'postgres' ? CHARGED.flatMap(postgresTriggers) : CHARGED.flatMap(sqliteTriggers);

/** Only existing accounts are charged, not `nobody` or an account that is being deleted. */
function sqliteChange({ kind }: Charged, owner: string, bytes: string): string {
  return `INSERT INTO storage_usage (user_id, kind, bytes)
    SELECT u.id, '${kind}', ${bytes} FROM users u WHERE u.id = ${owner}
    ON CONFLICT (user_id, kind) DO UPDATE SET bytes = storage_usage.bytes + excluded.bytes;`;
}

function sqliteTriggers(charged: Charged): string[] {
  const { from: table, texts, numbers = [], within } = charged;
  const trigger = (name: string, when: string, change: string): string[] => [
    `DROP TRIGGER IF EXISTS storage_${name}`,
    `CREATE TRIGGER storage_${name} ${when} BEGIN\n  ${change}\nEND`,
  ];
  const [added, removed] = [sizeOf(charged, 'NEW'), sizeOf(charged, 'OLD')];
  const [newOwner, oldOwner] = [ownerOf(charged, 'NEW'), ownerOf(charged, 'OLD')];
  return [
    ...trigger(`${table}_insert`, `AFTER INSERT ON ${table}`, sqliteChange(charged, newOwner, added)),
    ...trigger(`${table}_delete`, `AFTER DELETE ON ${table}`, sqliteChange(charged, oldOwner, `-(${removed})`)),
    ...trigger(
      `${table}_update`,
      `AFTER UPDATE OF ${[...texts, ...numbers].join(', ')} ON ${table}`,
      sqliteChange(charged, newOwner, `(${added}) - (${removed})`),
    ),
    ...(within === undefined
      ? []
      : trigger(
          `${table}_within`,
          `BEFORE DELETE ON ${within.parent}`,
          sqliteChange(
            charged,
            'OLD.user_id',
            `-(SELECT COALESCE(sum(${sizeOf(charged, 'r')}), 0) FROM ${table} r WHERE ${within.where.replaceAll('parent.', 'OLD.')})`,
          ),
        )),
  ];
}

/** One row per account that a statement affects, however many rows it changes. */
function postgresTriggers(charged: Charged): string[] {
  const { kind, from: table, within } = charged;
  const rows = (from: string, sign: '' | '-'): string =>
    `SELECT ${ownerOf(charged, 'r')} AS owner, ${sign}(${sizeOf(charged, 'r')})::bigint AS bytes FROM ${from} r`;
  const note = (changed: string): string =>
    `INSERT INTO storage_deltas (user_id, kind, bytes)
      SELECT owner, '${kind}', sum(bytes)::bigint FROM (${changed}) changed
      WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = changed.owner) GROUP BY owner HAVING sum(bytes) <> 0;`;
  const routine = (name: string, body: string): string =>
    `CREATE OR REPLACE FUNCTION storage_${name}() RETURNS trigger LANGUAGE plpgsql AS $body$\nBEGIN\n${body}\nEND\n$body$`;
  const trigger = (name: string, when: string, how: string, calls: string): string[] => [
    `DROP TRIGGER IF EXISTS storage_${name} ON ${/ ON (\w+)$/.exec(when)?.[1]}`,
    `CREATE TRIGGER storage_${name} ${when} ${how} EXECUTE FUNCTION storage_${calls}()`,
  ];
  return [
    routine(
      table,
      `IF TG_OP = 'INSERT' THEN ${note(rows('added', ''))}
ELSIF TG_OP = 'DELETE' THEN ${note(rows('removed', '-'))}
ELSE ${note(`${rows('added', '')} UNION ALL ${rows('removed', '-')}`)}
END IF;
RETURN NULL;`,
    ),
    ...trigger(
      `${table}_insert`,
      `AFTER INSERT ON ${table}`,
      'REFERENCING NEW TABLE AS added FOR EACH STATEMENT',
      table,
    ),
    ...trigger(
      `${table}_delete`,
      `AFTER DELETE ON ${table}`,
      'REFERENCING OLD TABLE AS removed FOR EACH STATEMENT',
      table,
    ),
    ...trigger(
      `${table}_update`,
      `AFTER UPDATE ON ${table}`,
      'REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT',
      table,
    ),
    ...(within === undefined
      ? []
      : [
          routine(
            `${table}_within`,
            `INSERT INTO storage_deltas (user_id, kind, bytes)
  SELECT OLD.user_id, '${kind}', -sum(${sizeOf(charged, 'r')})::bigint FROM ${table} r
  WHERE ${within.where.replaceAll('parent.', 'OLD.')} AND EXISTS (SELECT 1 FROM users u WHERE u.id = OLD.user_id)
  HAVING count(*) > 0;
RETURN OLD;`,
          ),
          ...trigger(`${table}_within`, `BEFORE DELETE ON ${within.parent}`, 'FOR EACH ROW', `${table}_within`),
        ]),
  ];
}
