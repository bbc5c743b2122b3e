import type { Kysely } from 'kysely';
import { createUser } from '#accounts/users/users.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { insertConnection } from '#connections/connections/connections.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';

/** Connections without a server, to store secrets for. */

const NOW = '2026-03-01T00:00:00.000Z';

export const newConnection = (user_id: string, more: Partial<Connection> = {}): Connection => ({
  id: newId(),
  user_id,
  name: 'a',
  provider_id: null,
  external_id: null,
  url: 'https://mcp.example/',
  transport: 'streamable-http',
  status: 'pending',
  server_info: null,
  protocol_version: null,
  auth: { type: 'none', fields: [], values: {}, stored: [], oauth: null },
  last_error: null,
  tools_read_at: null,
  created_at: NOW,
  last_used_at: null,
  package: null,
  package_hosts: null,
  package_seen: null,
  ...more,
});

/** The place of a new connection of a new user. */
export async function somewhere(db: Kysely<Schema>): Promise<{ user_id: string; connection_id: string }> {
  const { id: user_id } = await createUser(db, 'Ada', NOW);
  const connection = newConnection(user_id);
  await insertConnection(db, connection);
  return { user_id, connection_id: connection.id };
}
