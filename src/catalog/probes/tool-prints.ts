import type { Tool } from '@modelcontextprotocol/client';
import canonicalize from 'canonicalize';
import { storable } from '#catalog/items/listing-row.ts';
import { TOOL_PARTS, type ToolChange, type ToolPart } from '#catalog/items/tool-changes.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { definitionOf } from '#core/mcp/tool.ts';
import { pauses } from '#core/threads/pauses.ts';

/** Short digests of the definitions of a server's tools, and what changed between two sets of them. */

/** A name, and one digest for each of TOOL_PARTS. */
export type ToolPrint = readonly [name: string, parts: string];

/** Servers with more tools are not compared. */
export const MOST_PRINTS = 500;
const NAME_CHARS = 128;
/** A different text has the same digest once in 4 billion cases: a change of it would not be listed. */
const DIGEST_CHARS = 8;
const MOST_CHANGES = 100;

/** Null for more tools than are compared. Expects tools whose schemas are not nested too deeply. Takes turns of the event loop. */
export async function toolPrints(tools: readonly Tool[]): Promise<ToolPrint[] | null> {
  if (tools.length > MOST_PRINTS) return null;
  const pause = pauses();
  const prints = new Map<string, string>();
  for (const tool of tools) {
    await pause();
    prints.set(cut(tool.name), partsOf(tool));
  }
  return [...prints];
}

const cut = (name: string): string =>
  name.length <= NAME_CHARS ? storable(name) : storable(`${name.slice(0, NAME_CHARS - 1).toWellFormed()}…`);

function partsOf(tool: Tool): string {
  const definition = definitionOf(tool);
  return TOOL_PARTS.map((part) => sha256(canonicalize(definition[part]) as string).slice(0, DIGEST_CHARS)).join('');
}

function digestOf(parts: string, part: ToolPart): string {
  const at = TOOL_PARTS.indexOf(part) * DIGEST_CHARS;
  return parts.slice(at, at + DIGEST_CHARS);
}

export type Changes = Pick<ToolChange, 'added' | 'removed' | 'renamed' | 'changed' | 'omitted'>;

/** Null if they are the same. */
export function changesBetween(before: readonly ToolPrint[], after: readonly ToolPrint[]): Changes | null {
  const [olds, news] = [new Map(before), new Map(after)];
  const gone = before.filter(([name]) => !news.has(name));
  const fresh = after.filter(([name]) => !olds.has(name));
  const renamed = renamesAmong(gone, fresh);
  const [from, to] = [new Set(renamed.map((rename) => rename.from)), new Set(renamed.map((rename) => rename.to))];
  const changed = after.flatMap(([name, parts]) => {
    const old = olds.get(name);
    return old === undefined || old === parts
      ? []
      : [{ name, parts: TOOL_PARTS.filter((part) => digestOf(old, part) !== digestOf(parts, part)) }];
  });
  const added = fresh.flatMap(([name]) => (to.has(name) ? [] : [name]));
  const removed = gone.flatMap(([name]) => (from.has(name) ? [] : [name]));
  const all = { added, removed, renamed, changed };
  const total = Object.values(all).reduce((sum, some) => sum + some.length, 0);
  return total === 0 ? null : limited(all, total);
}

/** Removed tools break callers, so that they are listed first. */
function limited({ added, removed, renamed, changed }: Omit<Changes, 'omitted'>, total: number): Changes {
  let left = MOST_CHANGES;
  const take = <T>(some: readonly T[]): T[] => {
    const taken = some.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const kept = { removed: take(removed), renamed: take(renamed), changed: take(changed), added: take(added) };
  return { ...kept, omitted: Math.max(0, total - MOST_CHANGES) };
}

const SAME_AFTER_RENAME: readonly ToolPart[] = ['description', 'input_schema', 'output_schema'];
const NO_DESCRIPTION = sha256('""').slice(0, DIGEST_CHARS);

/** A description and schemas that only one removed and one added tool have. */
function renamesAmong(gone: readonly ToolPrint[], fresh: readonly ToolPrint[]): { from: string; to: string }[] {
  const known = Map.groupBy(gone, bodyOf);
  return [...Map.groupBy(fresh, bodyOf)].flatMap(([body, [first, ...others]]) => {
    const olds = known.get(body) ?? [];
    const [old] = olds;
    if (body === '' || old === undefined || first === undefined || olds.length > 1 || others.length > 0) return [];
    return [{ from: old[0], to: first[0] }];
  });
}

/** '' for tools without a description, of which many have the same empty schema. */
const bodyOf = ([, parts]: ToolPrint): string =>
  digestOf(parts, 'description') === NO_DESCRIPTION
    ? ''
    : SAME_AFTER_RENAME.map((part) => digestOf(parts, part)).join('');
