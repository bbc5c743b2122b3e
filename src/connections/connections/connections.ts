import { type Kysely, sql } from 'kysely';
import { isDown } from '#catalog/items/taken-down.ts';
import { countOf, type PagePlace, pageOf } from '#core/db/pages.ts';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ConnectionRow } from '#core/db/schema-connections.ts';
import { NONE_LEFT_OUT, type ToolListing } from '#core/mcp/tool-listing.ts';
import type { Connection } from './connection.ts';

/** Connections: the only SQL that uses `connections`. */

type Db = Kysely<Schema>;

export interface Owned {
  user_id: string;
  id: string;
}

const COLUMNS = [
  ...(['id', 'user_id', 'name', 'provider_id', 'external_id', 'url', 'transport', 'status', 'auth'] as const),
  ...(['server_info', 'protocol_version', 'last_error', 'tools_read_at', 'created_at', 'last_used_at'] as const),
  ...(['package', 'package_hosts', 'package_seen'] as const),
] as const;

export const insertConnection = async (db: Db, connection: Connection): Promise<void> =>
  void (await db
    .insertInto('connections')
    .values({
      ...connection,
      ...texts(connection),
      tools: null,
      tools_left_out: null,
      tools_pinned_at: null,
    } as ConnectionRow)
    .execute());

export const findConnection = async (db: Db, { user_id, id }: Owned): Promise<Connection | undefined> =>
  connectionOf(
    await db
      .selectFrom('connections')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .executeTakeFirst(),
  );

/** Also returns whether the connection's listing was taken down. */
export async function findUsable(db: Db, { user_id, id }: Owned) {
  const [found] = await readUsable(db, { user_id, id });
  if (found === undefined) return undefined;
  const { is_down, ...row } = found;
  return { connection: connectionOf(row) as Connection, is_down: is_down === 1 };
}

const readUsable = prepared(['user_id', 'id'], (db, { user_id, id }: { user_id: string; id: string }) => {
  const listing = [sql.ref<string>('connections.provider_id'), sql.ref<string>('connections.external_id')] as const;
  return db
    .selectFrom('connections')
    .select(COLUMNS)
    .select(isDown(db, ...listing).as('is_down'))
    .where('id', '=', id)
    .where('user_id', '=', user_id);
});

/** Keeps these connections from being deleted until the transaction ends; false if one of them is gone. */
export async function holdConnections(trx: Db, user_id: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', 'in', ids)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(ids.length);
}

/** Of any owner, for code that is bound to the connection by other means, such as an OAuth state. */
export const findConnectionById = async (db: Db, id: string): Promise<Connection | undefined> =>
  connectionOf(await db.selectFrom('connections').select(COLUMNS).where('id', '=', id).executeTakeFirst());

export interface ListingPlace {
  provider_id: string;
  external_id: string;
}

/** Newest first; with `listing`, only those that were created from it. */
export async function listConnections(db: Db, user_id: string, page: PagePlace, listing: ListingPlace | null = null) {
  const own = ofUser(db, user_id);
  const found = listing === null ? own : own.where((eb) => eb.and({ ...listing }));
  const { items, total_count } = await pageOf(found, page, (of) =>
    of.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
  return { items: items.flatMap((row) => connectionOf(row) ?? []), total_count };
}

const ofUser = (db: Db, userId: string) => db.selectFrom('connections').where('user_id', '=', userId);

export const countConnections = (db: Db, user_id: string): Promise<number> => countOf(ofUser(db, user_id));

/** Of all users. */
export async function countByStatus(db: Db): Promise<[status: string, count: number][]> {
  const rows = await db
    .selectFrom('connections')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return rows.map(({ status, count }) => [status, Number(count)]);
}

export type ConnectionEdit = Partial<Omit<Connection, 'id' | 'user_id' | 'created_at'>>;

/** Returns the updated connection; undefined if it was deleted. */
export const updateConnection = async (db: Db, id: string, edit: ConnectionEdit): Promise<Connection | undefined> =>
  connectionOf(
    await db
      .updateTable('connections')
      .set({ ...edit, ...texts(edit) } as Partial<ConnectionRow>)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst(),
  );

/** The stored tool list with its time; undefined if it was never read or is known to be outdated. */
export async function readTools(db: Db, id: string): Promise<(ToolListing & { tools_read_at: string }) | undefined> {
  const row = await db
    .selectFrom('connections')
    .select(['tools', 'tools_left_out', 'tools_read_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.tools === null || row.tools_read_at === null) return undefined;
  const left_out = row.tools_left_out === null ? NONE_LEFT_OUT : JSON.parse(row.tools_left_out);
  return { tools: JSON.parse(row.tools), left_out, tools_read_at: row.tools_read_at };
}

export const saveTools = async (
  db: Db,
  id: string,
  { tools, left_out }: ToolListing,
  tools_read_at: string,
): Promise<void> =>
  void (await db
    .updateTable('connections')
    .set({
      tools: JSON.stringify(tools),
      tools_left_out: left_out.count === 0 ? null : JSON.stringify(left_out),
      tools_read_at,
    })
    .where('id', '=', id)
    .execute());

/** Whether all of its tools were pinned. */
export const isPinned = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('connections').select('tools_pinned_at').where('id', '=', id).executeTakeFirst())
    ?.tools_pinned_at != null;

export const markPinned = async (db: Db, id: string, tools_pinned_at: string): Promise<void> =>
  void (await db.updateTable('connections').set({ tools_pinned_at }).where('id', '=', id).execute());

/** All connections of one user. */
export const idsOf = async (db: Db, user_id: string): Promise<string[]> =>
  (await db.selectFrom('connections').select('id').where('user_id', '=', user_id).execute()).map(({ id }) => id);

export type ConnectionState = Pick<Connection, 'id' | 'name' | 'status'>;

/** Names and states of all connections of one user, by id. */
export async function statesOf(db: Db, user_id: string): Promise<Map<string, ConnectionState>> {
  const rows = await ofUser(db, user_id).select(['id', 'name', 'status']).execute();
  return new Map(rows.map((row) => [row.id, row as ConnectionState]));
}

/** The names of one user's connections. */
export const namesOf = async (db: Db, user_id: string): Promise<Set<string>> =>
  new Set(
    (await db.selectFrom('connections').select('name').where('user_id', '=', user_id).execute()).map(
      ({ name }) => name,
    ),
  );

/** Returns whether there was one. Its secrets, tools, grant and flows cascade. */
export const deleteConnection = async (db: Db, { user_id, id }: Owned): Promise<boolean> =>
  (await db.deleteFrom('connections').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst())
    .numDeletedRows > 0n;

const JSON_COLUMNS = ['auth', 'server_info', 'last_error', 'package', 'package_hosts', 'package_seen'] as const;

const texts = (edit: ConnectionEdit): Partial<Record<(typeof JSON_COLUMNS)[number], string | null>> =>
  Object.fromEntries(
    JSON_COLUMNS.filter((name) => edit[name] !== undefined).map((name) => [
      name,
      edit[name] === null ? null : JSON.stringify(edit[name]),
    ]),
  );

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

function connectionOf(
  row: Omit<ConnectionRow, 'tools' | 'tools_left_out' | 'tools_pinned_at'> | undefined,
): Connection | undefined {
  if (row === undefined) return undefined;
  const unpacked = JSON_COLUMNS.map((name) => [name, parsed(row[name])]);
  return { ...row, ...Object.fromEntries(unpacked) } as Connection;
}
