import type { Kysely } from 'kysely';
import type { ListingKey } from '#catalog/items/read-items.ts';
import type { Schema } from '#core/db/schema.ts';
import type { RunTool } from '#core/tools/tool.ts';
import { type Next, plain } from '#core/tools/words.ts';

/** The first tools of servers that answered their last probe, short enough for a list of search results. */

const MOST_TOOLS = 5;
const MOST_ARGUMENTS = 6;
const MOST_CHARS = 120;
/** Longer schemas are not parsed. */
const MOST_SCHEMA_CHARS = 4_096;

export interface ToolSignature {
  /** Exact, and untrusted. */
  name: string;
  signature: string;
}

/** For each listing that has any; the key is `provider/external_id`. */
export async function toolSignatures(
  db: Kysely<Schema>,
  keys: readonly ListingKey[],
): Promise<Map<string, ToolSignature[]>> {
  const found = new Map<string, ToolSignature[]>();
  if (keys.length === 0) return found;
  const rows = await db
    .selectFrom('probe_listings as named')
    .innerJoin('probe_targets as target', 'target.id', 'named.target_id')
    .innerJoin('probe_tools as tool', 'tool.target_id', 'named.target_id')
    .select(['named.provider_id', 'named.external_id', 'tool.name', 'tool.input_schema'])
    .where('target.reason', '=', 'ok')
    .where('tool.position', '<', MOST_TOOLS)
    .where((eb) =>
      eb.or(
        keys.map(({ provider_id, external_id }) =>
          eb.and({ 'named.provider_id': provider_id, 'named.external_id': external_id }),
        ),
      ),
    )
    .orderBy('tool.position')
    .execute();
  for (const { provider_id, external_id, name, input_schema } of rows) {
    const key = `${provider_id}/${external_id}`;
    found.set(key, [...(found.get(key) ?? []), { name, signature: signatureOf(name, input_schema) }]);
  }
  return found;
}

/**
 * The next call of a model for a server whose tools are known: it can be called at once. Null for others, and if it may run nothing. The
 * tool that fits best is called, which may not be among the first ones, or else the first.
 */
export function runOf(
  ref: string,
  { tools: [first], tool: fitting }: { tools: readonly ToolSignature[]; tool: string | null },
  tool: RunTool | null,
): Next | null {
  if (first === undefined || tool === null) return null;
  const input = { tool: fitting ?? first.name, arguments: {} };
  return { tool, arguments: tool === 'task_run' ? { ref, input } : { capability: { ref }, input } };
}

/** Such as `tide_at(harbour: string, day?: string)`. Names are untrusted. */
export function signatureOf(name: string, input_schema: string | null): string {
  const known = input_schema === null || input_schema.length > MOST_SCHEMA_CHARS ? null : argumentsIn(input_schema);
  return plain(`${name}(${known ?? '…'})`, MOST_CHARS);
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown } | boolean>;
  required?: unknown;
}

/** Required ones first. */
function argumentsIn(schema: string): string {
  const { properties = {}, required } = JSON.parse(schema) as ObjectSchema;
  const needed = new Set([required ?? []].flat());
  const names = Object.keys(Object(properties)).toSorted((a, b) => Number(needed.has(b)) - Number(needed.has(a)));
  const shown = names.slice(0, MOST_ARGUMENTS).map((name) => {
    const { type } = Object(properties[name]) as { type?: unknown };
    return `${name}${needed.has(name) ? '' : '?'}${typeof type === 'string' ? `: ${type}` : ''}`;
  });
  return [...shown, ...(names.length > MOST_ARGUMENTS ? ['…'] : [])].join(', ');
}
