import { setImmediate } from 'node:timers/promises';
import { type ToolSegment, toolSegmentBuilder } from '#catalog/search/index/tool-segment.ts';
import type { ToolText } from '#catalog/search/index/tool-text.ts';
import type { SearchModels } from '#catalog/search/model/ask-models.ts';
import type { Aid } from '#catalog/search/query/aid.ts';
import {
  planTools,
  searchTools as searchIndex,
  type ToolHit,
  type ToolIndex,
  toolIndexOf,
  toolPosition,
} from '#catalog/search/query/tool-search.ts';
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
  texts: readonly ToolText[];
  index: Promise<ToolIndex>;
}

/** Of each list, by its first tool: lists are kept with their tools, so an index lasts as long as its list. */
const indexed = new WeakMap<KnownTool, Indexed>();

interface FoundTools {
  found: OfferedTool[];
  /** What an operator's models say about the search; null if they were not asked. */
  aid: Aid | null;
}

/** The best matches first; all tools in order if the query has no words. The operator decides whether models see such tools. */
export async function searchTools(
  tools: readonly OfferedTool[],
  query: string,
  most: number,
  aidTools: SearchModels['aidTools'],
): Promise<FoundTools> {
  const text = query.slice(0, MOST_TEXT_CHARS);
  if (tools.length === 0 || tokenize(text).length === 0) return { found: tools.slice(0, most), aid: null };
  const { texts, index: building } = indexOf(tools);
  const index = await building;
  await planTools(index, text);
  const placeOf = ({ part, row }: Pick<ToolHit, 'part' | 'row'>): number => part * TOOLS_PER_SEGMENT + row;
  const aid = await aidTools({
    text,
    index,
    view: null,
    others: texts,
    positionOf: (at) => toolPosition(Math.floor(at / TOOLS_PER_SEGMENT), at % TOOLS_PER_SEGMENT),
    is_private: true,
    wanted: () => null,
    textsOf: async (hits) => hits.map((hit) => documentOf(texts[placeOf(hit)] as ToolText)),
  });
  const { hits } = searchIndex(index, { text, limit: most, offset: 0, isWanted: null, aid });
  return { found: hits.map((hit) => tools[placeOf(hit)] as OfferedTool), aid };
}

/** What a reranker is given. */
const documentOf = ({ name, description }: ToolText) => ({ name, listing_type: 'tool', description });

function indexOf(tools: readonly OfferedTool[]): Indexed {
  const { known } = tools[0] as OfferedTool;
  const before = indexed.get(known);
  if (before !== undefined && isSame(before.tools, tools)) return before;
  const texts = tools.map(textOf);
  const built = { tools, texts, index: build(texts) };
  indexed.set(known, built);
  return built;
}

const isSame = (before: readonly OfferedTool[], tools: readonly OfferedTool[]): boolean =>
  before.length === tools.length &&
  before.every(({ known, name }, at) => known === tools[at]?.known && name === tools[at]?.name);

async function build(texts: readonly ToolText[]): Promise<ToolIndex> {
  const segments: ToolSegment[] = [];
  for (let from = 0; from < texts.length; from += TOOLS_PER_SEGMENT) {
    const builder = toolSegmentBuilder();
    for (const [at, text] of texts.slice(from, from + TOOLS_PER_SEGMENT).entries()) {
      if (at % TOOLS_AT_ONCE === TOOLS_AT_ONCE - 1) await setImmediate();
      builder.add(text);
    }
    segments.push(builder.finish());
    await setImmediate();
  }
  return toolIndexOf(segments.map((segment) => ({ segment, deleted: null })));
}

function textOf({ prefix, known: { definition } }: OfferedTool): ToolText {
  const { name, title, description, input_schema } = definition;
  return { name, title, description, input_schema, server: prefix };
}
