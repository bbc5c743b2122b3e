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

/** New names by old ones. Each tool is at most one rename. */
export function renamesOf(removed: readonly ToolDefinition[], added: readonly ToolDefinition[]): Map<string, string> {
  const bySchema = Map.groupBy(removed, schemaOf);
  const pairs = [...Map.groupBy(added, schemaOf)].flatMap(([schema, some]) => {
    const olds = (bySchema.get(schema) ?? []).slice(0, MOST_COMPARED).map((tool) => ({ tool, words: wordsOf(tool) }));
    const news = some.slice(0, MOST_COMPARED).map((tool) => ({ tool, words: wordsOf(tool) }));
    return olds.flatMap((before) =>
      news.map((after) => ({
        from: before.tool.name,
        to: after.tool.name,
        alike: likeness(before.words, after.words),
      })),
    );
  });
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, to, alike } of pairs.toSorted((a, b) => b.alike - a.alike)) {
    if (alike < LEAST_ALIKE || renames.has(from) || taken.has(to)) continue;
    renames.set(from, to);
    taken.add(to);
  }
  return renames;
}

const schemaOf = ({ input_schema, output_schema }: ToolDefinition): string =>
  canonicalize([input_schema, output_schema]) as string;

const wordsOf = ({ description }: ToolDefinition): Set<string> =>
  new Set(fold(description.slice(0, MOST_DESCRIPTION_CHARS).toWellFormed()).match(/[\p{L}\p{N}]+/gu) ?? []);

/** Of two short descriptions nothing can be said. */
function likeness(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  if (before.size < LEAST_WORDS || after.size < LEAST_WORDS) return 0;
  const shared = [...before].filter((word) => after.has(word)).length;
  return (2 * shared) / (before.size + after.size);
}
