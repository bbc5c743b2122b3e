import { insufficientScope } from '#accounts/auth/refusals.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { isPinned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { defined } from '#core/defined.ts';
import type { Caller } from '#core/http/caller.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import { changesOf, setHashOf } from './tool-changes.ts';
import type { ToolList } from './tool-lists.ts';

/**
 * A connection's tools as its owner sees them, and which used ones are gone.
 *
 * Contacting the server sends it the stored credentials, which requires the scope `write`. Without it, the stored list
 * is
 * returned.
 *
 * @throws Problem 403 `auth.insufficient_scope` (`required`) without `write` if no list is stored.
 */
export async function seenTools(
  { db, tool_lists }: Pick<ConnectionsDeps, 'db' | 'tool_lists'>,
  { user_id, scopes }: Pick<Caller, 'user_id' | 'scopes'>,
  id: string,
  refresh: boolean,
) {
  const connection = await usableConnection(db, { user_id, id });
  const list = scopes.includes('write')
    ? tool_lists.read(connection, refresh)
    : storedTools(tool_lists, connection, refresh);
  const [{ tools, left_out, read_at }, arePinned] = await Promise.all([list, isPinned(db, id)]);
  const { pins, gone, renames } = await changesOf(db, id, tools);
  const formerNames = new Map([...renames].map(([from, to]) => [to, from]));
  const unpinned = arePinned ? 'added' : 'new';
  const items = [...tools.values()].map((known) => ({
    ...shownTool(known, pins.get(known.definition.name), unpinned),
    ...defined({ renamed_from: formerNames.get(known.definition.name) }),
  }));
  const waiting = items.filter(({ state }) => state === 'added' || state === 'changed').length;
  const set_hash = setHashOf(tools.values());
  return { items, total_count: items.length, waiting, gone, set_hash, left_out, read_at };
}

async function storedTools(
  toolLists: ConnectionsDeps['tool_lists'],
  connection: Connection,
  refresh: boolean,
): Promise<ToolList> {
  const list = refresh ? null : await toolLists.stored(connection);
  if (list === null) throw insufficientScope('write');
  return list;
}

const shownTool = ({ definition, hash }: KnownTool, pinned: string | undefined, unpinned: 'new' | 'added') => ({
  ...definition,
  hash,
  state: pinned === undefined ? unpinned : pinned === hash ? 'accepted' : 'changed',
});
