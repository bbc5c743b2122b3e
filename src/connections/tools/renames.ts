import { setImmediate } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import { fold } from '#catalog/changes/fold.ts';
import type { ToolDefinition } from '#core/mcp/tool.ts';

/** Recognizes a tool that a server added as one that it removed: same schemas, nearly the same description, another name. Pure. */

/** Share of words that two descriptions have in common. */
const LEAST_ALIKE = 0.8;
const LEAST_WORDS = 3;
const MOST_DESCRIPTION_CHARS = 4_000;
/** Per schema: servers with more tools of the same schema are not compared further. */
const MOST_COMPARED = 50;

/** Tools that are read, and pairs that are compared, between two turns of the event loop. */
const READ_AT_ONCE = 50;
const COMPARED_AT_ONCE = 250;

/** New names by old ones. Each tool is at most one rename. The tools are a server's, so there may be many long ones. */
export async function renamesOf(
  removed: readonly ToolDefinition[],
  added: readonly ToolDefinition[],
): Promise<Map<string, string>> {
  const bySchema = await groupedBySchema(removed);
  const renames = new Map<string, string>();
  for (const [schema, news] of await groupedBySchema(added)) {
    const olds = bySchema.get(schema);
    if (olds !== undefined) for (const [from, to] of await renamesAmong(olds, news)) renames.set(from, to);
  }
  return renames;
}

async function groupedBySchema(tools: readonly ToolDefinition[]): Promise<Map<string, ToolDefinition[]>> {
  const groups = new Map<string, ToolDefinition[]>();
  for (const [at, tool] of tools.entries()) {
    if (at % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
    const schema = schemaOf(tool);
    const group = groups.get(schema) ?? [];
    group.push(tool);
    groups.set(schema, group);
  }
  return groups;
}

/** Of tools with the same schema. */
async function renamesAmong(removed: readonly ToolDefinition[], added: readonly ToolDefinition[]) {
  const [olds, news] = [await wordsOfAll(removed), await wordsOfAll(added)];
  const pairs: { from: string; to: string; alike: number }[] = [];
  let compared = 0;
  for (const [from, before] of olds)
    for (const [to, after] of news) {
      if (++compared % COMPARED_AT_ONCE === 0) await setImmediate();
      const alike = likeness(before, after);
      if (alike >= LEAST_ALIKE) pairs.push({ from, to, alike });
    }
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, to } of pairs.toSorted((a, b) => b.alike - a.alike)) {
    if (renames.has(from) || taken.has(to)) continue;
    renames.set(from, to);
    taken.add(to);
  }
  return renames;
}

/** The words of descriptions by the names of their tools. */
async function wordsOfAll(tools: readonly ToolDefinition[]): Promise<Map<string, Set<string>>> {
  await setImmediate();
  return new Map(tools.slice(0, MOST_COMPARED).map((tool) => [tool.name, wordsOf(tool)]));
}

const schemaOf = ({ input_schema, output_schema }: ToolDefinition): string =>
  canonicalize([input_schema, output_schema]) as string;

const wordsOf = ({ description }: ToolDefinition): Set<string> =>
  new Set(fold(description.slice(0, MOST_DESCRIPTION_CHARS).toWellFormed()).match(/[\p{L}\p{N}]+/gu) ?? []);

/** Of two short descriptions nothing can be said. */
function likeness(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  if (before.size < LEAST_WORDS || after.size < LEAST_WORDS) return 0;
  let shared = 0;
  for (const word of before) if (after.has(word)) shared++;
  return (2 * shared) / (before.size + after.size);
}
