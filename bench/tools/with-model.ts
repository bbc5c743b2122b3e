import { Registry } from 'prom-client';
import { toolTarget } from '#catalog/search/index/tool-segment.ts';
import { quantized, vectorStore } from '#catalog/search/index/vectors.ts';
import { openSearchModels } from '#catalog/search/model/open-search-models.ts';
import { SEARCH_SETTINGS } from '#catalog/search/model/settings.ts';
import { embeddedTool } from '#catalog/search/model/tool-text.ts';
import type { Aid } from '#catalog/search/query/aid.ts';
import { type MarketplaceView, marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';
import { searchTools } from '#catalog/search/query/tool-search.ts';
import { readConfig } from '#core/config/config.ts';
import { documentFrom } from '#test/capability-documents.ts';
import { startSearchModels } from '#test/fakes/search-models.ts';
import { baseOf } from '#test/marketplace-view.ts';
import { trainLatent } from '../search/latent.ts';
import type { Definition } from './definitions.ts';

/** The search of tools with a stand-in for an embedding model (../search/latent.ts), which is asked over HTTP as a real one is. */

const DIMENSIONS = 256;

/** Rankings of these texts, by the weight of meaning: ids of definitions, the best first. */
export async function rankWithModel(
  definitions: readonly Definition[],
  texts: readonly string[],
  { weights, limit }: { weights: readonly number[]; limit: number },
): Promise<Map<number, Map<string, string[]>>> {
  const latent = trainLatent(definitions.map(embeddedTool), DIMENSIONS);
  const view = viewOf(definitions, (tool) => quantized(Float32Array.from(latent.vectorOf(embeddedTool(tool)))));
  await using server = await startSearchModels({ vectorOf: (text) => latent.vectorOf(text), dimensions: DIMENSIONS });
  const models = openSearchModels({
    config: readConfig(SEARCH_SETTINGS, {
      CAPSTAN_EMBEDDINGS_URL: server.url,
      CAPSTAN_EMBEDDINGS_WAIT: '10s',
      CAPSTAN_EMBEDDINGS_QUERY_PACE: '100000/1m',
    }),
    models: { pick: () => null },
    registry: new Registry(),
  });
  const found = new Map(weights.map((weight) => [weight, new Map<string, string[]>()]));
  for (const text of texts) {
    const aid = await models.aidTools({
      text,
      index: view.tools(),
      view,
      others: [],
      positionOf: (at) => at,
      is_private: false,
      wanted: () => null,
      textsOf: async () => [],
    });
    if (aid?.meaning !== 'used') throw new Error(`The stand-in did not answer: ${aid?.meaning}.`);
    for (const weight of weights) found.get(weight)?.set(text, idsOf(view, text, { ...aid, weight }, limit));
  }
  await models.close();
  return found;
}

function idsOf(view: MarketplaceView, text: string, aid: Aid, limit: number): string[] {
  const { tools } = view.parts[0].segment;
  const { hits } = searchTools(view.tools(), { text, limit, offset: 0, isWanted: null, aid });
  return hits.map(({ row }) => toolTarget(tools, row));
}

/** Each server is a capability, and each tool's target its id. */
function viewOf(definitions: readonly Definition[], vectorOf: (tool: Definition) => Int8Array): MarketplaceView {
  const servers = [...Map.groupBy(definitions, ({ server }) => server)];
  const { base } = baseOf(
    servers.map(([name, tools], number) =>
      documentFrom(number, { name, tools: tools.map((tool) => ({ ...tool, target: tool.id })) }),
    ),
  );
  const store = vectorStore();
  for (const tool of definitions) store.add(tool.id, vectorOf(tool));
  const rows = Array.from({ length: base.tools.count }, (_, row) => [toolTarget(base.tools, row), row] as const);
  const vectors = {
    dimensions: DIMENSIONS,
    blocks: store.blocks,
    base: store.slotsOf(base.count, []),
    delta: null,
    tools: { base: store.slotsOf(base.tools.count, rows), delta: null },
  };
  return marketplaceViewOf({ base, deleted: null, delta: null, version: 'bench', is_whole: true, vectors }, null);
}
