import type { Kysely } from 'kysely';
import { hashApiKey, hintOf, isApiKeyText, newApiKeyText } from '#accounts/api-keys/api-key.ts';
import { holdConnections } from '#connections/connections/connections.ts';
import { noSuchConnection } from '#connections/connections/failures.ts';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { McpEndpointRow } from '#core/db/schema-connections.ts';
import { newId } from '#core/ids.ts';

/** Endpoints with chosen tools of connections: the only SQL that uses `mcp_endpoints` and `mcp_endpoint_connections`. */

type Db = Kysely<Schema>;

export interface Endpoint extends Omit<McpEndpointRow, 'token_hash' | 'api_key_id'> {
  /** By prefix. */
  choices: Choice[];
}

export interface Choice {
  connection_id: string;
  prefix: string;
  /** Names of the chosen tools; null for all. */
  tools: string[] | null;
  /** The owner is asked before each call of a tool that is not among these; null: never. */
  ask_except: string[] | null;
}

interface NewEndpoint {
  user_id: string;
  /** The key that made it; null for a session. */
  api_key_id: string | null;
  name: string;
  expires_at: string | null;
}

const COLUMNS = ['id', 'user_id', 'name', 'hint', 'created_at', 'expires_at', 'last_used_at'] as const;
/** Connections of one endpoint. */
export const MOST_CHOICES = 200;
const TOUCH_EVERY_MS = 60_000;

/** The `token` in the result is shown only once: its digest is stored. */
export async function insertEndpoint(trx: Db, { name, ...made }: NewEndpoint, now: string) {
  const token = newApiKeyText();
  const id = newId();
  const row = { ...made, id, name, hint: hintOf(token), created_at: now, last_used_at: null };
  await trx
    .insertInto('mcp_endpoints')
    .values({ ...row, token_hash: hashApiKey(token) })
    .execute();
  return { id, token };
}

/** The endpoint whose token is valid at `now`. */
export async function findEndpointOf(db: Db, token: string, now: string): Promise<Endpoint | undefined> {
  if (!isApiKeyText(token)) return undefined;
  const row = await db
    .selectFrom('mcp_endpoints')
    .select(COLUMNS)
    .where('token_hash', '=', hashApiKey(token))
    .executeTakeFirst();
  if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  const due = new Date(Date.parse(now) - TOUCH_EVERY_MS).toISOString();
  if (row.last_used_at === null || row.last_used_at <= due)
    await db.updateTable('mcp_endpoints').set({ last_used_at: now }).where('id', '=', row.id).execute();
  return (await withChoices(db, [row]))[0];
}

export async function findEndpoint(
  db: Db,
  { user_id, id }: { user_id: string; id: string },
): Promise<Endpoint | undefined> {
  const row = await db
    .selectFrom('mcp_endpoints')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row === undefined ? undefined : (await withChoices(db, [row]))[0];
}

/** Newest first. */
export async function listEndpoints(db: Db, user_id: string): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('mcp_endpoints')
    .select(COLUMNS)
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return withChoices(db, rows);
}

export const countEndpoints = (db: Db, user_id: string): Promise<number> =>
  countOf(db.selectFrom('mcp_endpoints').where('user_id', '=', user_id));

export async function hasEndpointNamed(db: Db, user_id: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('mcp_endpoints')
    .select('id')
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

async function withChoices(db: Db, endpoints: readonly Omit<Endpoint, 'choices'>[]): Promise<Endpoint[]> {
  if (endpoints.length === 0) return [];
  const ids = endpoints.map(({ id }) => id);
  const rows = await db
    .selectFrom('mcp_endpoint_connections')
    .select(['endpoint_id', 'connection_id', 'prefix', 'tools', 'ask_except'])
    .where('endpoint_id', 'in', ids)
    .orderBy('prefix')
    .execute();
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  return endpoints.map((endpoint) => ({ ...endpoint, choices: (byEndpoint.get(endpoint.id) ?? []).map(choiceOf) }));
}

type ChoiceRow = Pick<Choice, 'connection_id' | 'prefix'> & { tools: string | null; ask_except: string | null };

const choiceOf = ({ connection_id, prefix, tools, ask_except }: ChoiceRow): Choice => ({
  connection_id,
  prefix,
  tools: tools === null ? null : JSON.parse(tools),
  ask_except: ask_except === null ? null : JSON.parse(ask_except),
});

const jsonOf = (names: readonly string[] | null): string | null => (names === null ? null : JSON.stringify(names));

/** Throws `connections.not_found` (`connection`) if a connection was deleted since it was chosen. */
export async function replaceChoices(
  trx: Db,
  { id: endpoint_id, user_id }: { id: string; user_id: string },
  choices: readonly Choice[],
): Promise<void> {
  const ids = choices.map(({ connection_id }) => connection_id);
  if (!(await holdConnections(trx, user_id, ids))) throw noSuchConnection();
  await trx.deleteFrom('mcp_endpoint_connections').where('endpoint_id', '=', endpoint_id).execute();
  if (choices.length === 0) return;
  const rows = choices.map(({ tools, ask_except, ...choice }) => ({
    ...choice,
    endpoint_id,
    tools: jsonOf(tools),
    ask_except: jsonOf(ask_except),
  }));
  await trx.insertInto('mcp_endpoint_connections').values(rows).execute();
}

/** Choices of a renamed tool follow it to its new name. `renamed` has the new names by old ones. */
export async function followRenames(
  trx: Db,
  connection_id: string,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  if (renamed.size === 0) return;
  const rows = await trx
    .selectFrom('mcp_endpoint_connections')
    .select(['endpoint_id', 'tools'])
    .where('connection_id', '=', connection_id)
    .where('tools', 'is not', null)
    .execute();
  for (const { endpoint_id, tools } of rows) {
    const names = (JSON.parse(tools as string) as string[]).map((name) => renamed.get(name) ?? name);
    await trx
      .updateTable('mcp_endpoint_connections')
      .set({ tools: JSON.stringify([...new Set(names)]) })
      .where('endpoint_id', '=', endpoint_id)
      .where('connection_id', '=', connection_id)
      .execute();
  }
}

/** Returns false if the user has no such endpoint. */
export async function deleteEndpoint(db: Db, user_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mcp_endpoints')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
