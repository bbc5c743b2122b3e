import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import { listPins, pinnedDefinitions } from './pinned-tools.ts';
import { renamesOf } from './renames.ts';

/** How the tools of a server differ from those that its owner accepted. */
interface ToolChanges {
  pins: ReadonlyMap<string, string>;
  /** Added or changed: not callable before they are accepted. */
  held: KnownTool[];
  /** Accepted tools that the server no longer has. */
  gone: string[];
  /** New names by old ones, of tools that are both among `gone` and added. */
  renames: ReadonlyMap<string, string>;
}

export async function changesOf(
  db: Kysely<Schema>,
  connection_id: string,
  tools: ReadonlyMap<string, KnownTool>,
): Promise<ToolChanges> {
  const pins = await listPins(db, connection_id);
  const held = [...tools.values()].filter(({ definition, hash }) => pins.get(definition.name) !== hash);
  const gone = [...pins.keys()].filter((name) => !tools.has(name));
  const added = held.filter(({ definition }) => !pins.has(definition.name));
  const removed = gone.length === 0 || added.length === 0 ? [] : await pinnedDefinitions(db, connection_id, gone);
  const renames = await renamesOf(
    removed,
    added.map(({ definition }) => definition),
  );
  return { pins, held, gone, renames };
}

/** Identifies a whole set of tools, in any order. */
export function setHashOf(tools: Iterable<KnownTool>): string {
  const lines = [...tools].map(({ definition, hash }) => `${hash} ${definition.name}`).sort();
  return `sha256:${sha256(lines.join('\n'))}`;
}
