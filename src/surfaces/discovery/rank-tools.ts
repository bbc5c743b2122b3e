import type { Kysely } from 'kysely';
import type { ListingKey } from '#catalog/items/read-items.ts';
import { type FoundTool, targetsOf, toolsNamed } from '#catalog/probes/read-probes.ts';
import { buildTools, type ToolSegment, toolName, toolTarget } from '#catalog/search/index/tool-segment.ts';
import type { ToolText } from '#catalog/search/index/tool-text.ts';
import type { CapabilityIndex } from '#catalog/search/marketplace-index.ts';
import type { Aid } from '#catalog/search/query/aid.ts';
import { type MarketplaceView, toolPartOf } from '#catalog/search/query/marketplace-view.ts';
import {
  planTools,
  searchTools,
  type ToolHit,
  type ToolIndex,
  toolIndexOf,
  toolPosition,
} from '#catalog/search/query/tool-search.ts';
import type { Schema } from '#core/db/schema.ts';
import type { DiscoveredTool } from './shapes.ts';

/** Ranks the tools of this service together with those that the marketplace's index has. */

export interface RankDeps {
  db: Kysely<Schema>;
  index: Pick<CapabilityIndex, 'view' | 'aidTools'>;
}

interface Asked {
  own: readonly DiscoveredTool[];
  /** Whether only `own` are searched. */
  is_own: boolean;
  /** Restricts the search to this listing's server; null for all. */
  listing: ListingKey | null;
  limit: number;
  offset: number;
}

interface Ranked {
  total_count: number;
  /** The best first. */
  found: { tool: DiscoveredTool | FoundTool; hit: ToolHit }[];
  /** What an operator's models say about the search; null without models. */
  aid: Aid | null;
}

export function rankTools({ db, index }: RankDeps): (text: string, asked: Asked) => Promise<Ranked> {
  const indexOf = rememberedIndex();
  return async (text, { own, is_own, listing, limit, offset }) => {
    const targets = listing === null ? null : new Set(await targetsOf(db, listing));
    const view = is_own ? null : await index.view();
    const { index: tools, texts } = indexOf(view, own);
    await planTools(tools, text);
    const wanted = () => (view === null ? null : wantedIn(view, targets));
    const toolsOf = (hits: readonly ToolHit[]) => readTools(db, { view, own, hits });
    const first = view?.parts.length ?? 0;
    const aid = await index.aidTools({
      text,
      index: tools,
      view,
      others: texts,
      positionOf: (at) => toolPosition(first, at),
      is_private: false,
      wanted,
      textsOf: async (hits) => (await toolsOf(hits)).map(documentOf),
    });
    const { hits, total_count } = searchTools(tools, { text, limit, offset, isWanted: wanted(), aid });
    const known = await toolsOf(hits);
    const found = hits.flatMap((hit, at) => {
      const tool = known[at];
      return tool === undefined ? [] : { tool, hit };
    });
    return { total_count, found, aid };
  };
}

type Known = DiscoveredTool | FoundTool | undefined;

/** In the order of the hits; undefined for a tool that its server does not have any more. */
async function readTools(
  db: Kysely<Schema>,
  { view, own, hits }: { view: MarketplaceView | null; own: readonly DiscoveredTool[]; hits: readonly ToolHit[] },
): Promise<Known[]> {
  const places = hits.map(({ part, row }) => {
    const tools = view?.parts[part]?.segment.tools;
    return tools === undefined ? row : { target_id: toolTarget(tools, row), name: toolName(tools, row) };
  });
  const known = await toolsNamed(
    db,
    places.filter((place) => typeof place !== 'number'),
  );
  const byPlace = new Map(known.map((tool) => [`${tool.server.id} ${tool.name}`, tool]));
  return places.map((place) =>
    typeof place === 'number' ? own[place] : byPlace.get(`${place.target_id} ${place.name}`),
  );
}

/** What a reranker is given. */
const documentOf = (tool: Known) => ({
  name: tool?.name ?? '',
  listing_type: 'tool',
  description: tool?.description ?? '',
});

/** Each tool of a probed server once, although several capabilities may have it. The service's own are in the last part. */
function wantedIn({ parts }: MarketplaceView, targets: ReadonlySet<string> | null) {
  const seen = new Set<number>();
  return (part: number, row: number): boolean => {
    const tools = parts[part]?.segment.tools;
    if (tools === undefined) return true;
    const key = tools.keys[row] as number;
    if (key === 0 || seen.has(key)) return false;
    if (targets !== null && !targets.has(toolTarget(tools, row))) return false;
    seen.add(key);
    return true;
  };
}

interface Remembered {
  index: ToolIndex;
  /** The service's own tools, as models are given them. */
  texts: readonly ToolText[];
}

/** The last index is used again while its tools are the same. */
function rememberedIndex(): (view: MarketplaceView | null, own: readonly DiscoveredTool[]) => Remembered {
  let part: { key: string; segment: ToolSegment; texts: readonly ToolText[] } | null = null;
  let last: { view: MarketplaceView | null; segment: ToolSegment; index: ToolIndex } | null = null;
  return (view, own) => {
    const key = own.map(({ server, name }) => `${server.id} ${name}`).join('\n');
    if (part?.key !== key) {
      const texts = own.map((tool) => ({ ...tool, server: tool.server.name }));
      part = { key, segment: buildTools(texts), texts };
    }
    const { segment, texts } = part;
    if (last === null || last.view !== view || last.segment !== segment) {
      const index = toolIndexOf([...(view?.parts.map(toolPartOf) ?? []), { segment, deleted: null }]);
      last = { view, segment, index };
    }
    return { index: last.index, texts };
  };
}
