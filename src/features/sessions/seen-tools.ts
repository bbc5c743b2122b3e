import type { Owned } from './connections.ts';
import type { SessionsDeps } from './deps.ts';
import { listPins } from './pinned-tools.ts';
import type { KnownTool } from './tool.ts';
import { usableConnection } from './usable-connection.ts';

/** A connection's tools as its owner sees them, and which of those that were used are gone. */
export async function seenTools(
  { db, tool_lists }: Pick<SessionsDeps, 'db' | 'tool_lists'>,
  of: Owned,
  refresh: boolean,
) {
  const connection = await usableConnection(db, of);
  const [{ tools, read_at }, pins] = await Promise.all([tool_lists.read(connection, refresh), listPins(db, of.id)]);
  const items = [...tools.values()].map((it) => shownTool(it, pins.get(it.definition.name)));
  const gone = [...pins.keys()].filter((name) => !tools.has(name));
  return { items, total_count: items.length, gone, read_at };
}

const shownTool = ({ definition, hash }: KnownTool, pinned: string | undefined) => ({
  ...definition,
  hash,
  state: pinned === undefined ? 'new' : pinned === hash ? 'accepted' : 'changed',
});
