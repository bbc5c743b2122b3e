import { setImmediate } from 'node:timers/promises';
import { type ToolSegment, toolSegmentBuilder } from '#catalog/search/index/tool-segment.ts';
import { searchTools as searchIndex, type ToolIndex, toolIndexOf } from '#catalog/search/query/tool-search.ts';
import { tokenize } from '#catalog/search/text/tokenize.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import type { OfferedTool } from './offered-tools.ts';

/** Finds tools of an endpoint by relevance, as discovery does. */

/** Read between two turns of the event loop. */
const TOOLS_AT_ONCE = 50;
/** Of a segment: more segments make searches slower, larger ones hold the event loop longer when they are finished. */
const TOOLS_PER_SEGMENT = 1_000;
const MOST_TEXT_CHARS = 2_000;

interface Indexed {
  tools: readonly OfferedTool[];
  index: Promise<ToolIndex>;
}

/** Of each list, by its first tool: lists are kept with their tools, so an index lasts as long as its list. */
const indexed = new WeakMap<KnownTool, Indexed>();

/** The best matches first; all tools in order if the query has no words. */
export async function searchTools(tools: readonly OfferedTool[], query: string, most: number): Promise<OfferedTool[]> {
  const text = query.slice(0, MOST_TEXT_CHARS);
  if (tokenize(text).length === 0) return tools.slice(0, most);
  const index = await indexOf(tools);
  const { hits } = searchIndex(index, { text, limit: most, offset: 0, isWanted: null });
  return hits.map(({ part, row }) => tools[part * TOOLS_PER_SEGMENT + row] as OfferedTool);
}

function indexOf(tools: readonly OfferedTool[]): Promise<ToolIndex> {
  const first = tools[0];
  if (first === undefined) return Promise.resolve(toolIndexOf([]));
  const before = indexed.get(first.known);
  if (before !== undefined && isSame(before.tools, tools)) return before.index;
  const index = build(tools);
  indexed.set(first.known, { tools, index });
  return index;
}

const isSame = (before: readonly OfferedTool[], tools: readonly OfferedTool[]): boolean =>
  before.length === tools.length &&
  before.every(({ known, name }, at) => known === tools[at]?.known && name === tools[at]?.name);

async function build(tools: readonly OfferedTool[]): Promise<ToolIndex> {
  const segments: ToolSegment[] = [];
  for (let from = 0; from < tools.length; from += TOOLS_PER_SEGMENT) {
    const builder = toolSegmentBuilder();
    for (const [at, tool] of tools.slice(from, from + TOOLS_PER_SEGMENT).entries()) {
      if (at % TOOLS_AT_ONCE === TOOLS_AT_ONCE - 1) await setImmediate();
      builder.add(textOf(tool));
    }
    segments.push(builder.finish());
    await setImmediate();
  }
  return toolIndexOf(segments.map((segment) => ({ segment, deleted: null })));
}

function textOf({ prefix, known: { definition } }: OfferedTool) {
  const { name, title, description, input_schema } = definition;
  return { name, title, description, input_schema, server: prefix };
}
