import { openEmbeddings } from '#core/llm/embeddings.ts';
import type { Models } from '#core/llm/models.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { type Aid, NO_HITS } from '../query/aid.ts';
import { type SearchRequest, searchCapabilities } from '../query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from '../query/marketplace-view.ts';
import { RANKING } from '../ranking.ts';
import { aidTools, type ToolQuestion } from './ask-tools.ts';
import { openMeaning } from './meaning.ts';
import type { NoteAsked } from './meter.ts';
import { openReranker, type Reranker } from './reranker.ts';
import { openScanner } from './scanner.ts';
import type { SearchModelConfig } from './space.ts';
import { openTextVectors } from './text-vectors.ts';

/** Asks the embedding model for a query's vector, then the reranker about the first results. */

export interface SearchModels {
  /** What they say about a search, for `SearchRequest.aid`. Null without models, or if they have no say in the order. Never rejects. */
  aid(view: MarketplaceView, request: SearchRequest): Promise<Aid | null> | null;
  /** The same about a search of tools, for `ToolRequest.aid`. Null for private tools if the operator does not allow it. */
  aidTools(question: ToolQuestion): Promise<Aid> | null;
  close(): Promise<void>;
}

export interface AskOptions {
  config: SearchModelConfig;
  /** For a chat model that reranks. */
  models: Pick<Models, 'pick'>;
  note: NoteAsked;
}

export function askModels({ config, models, note }: AskOptions): SearchModels {
  const operator = openOperatorFetch();
  const scanner = openScanner();
  const closing = new AbortController();
  const { url, weight: percent, wait_ms } = config.embeddings;
  const embeddings = url === null ? null : openEmbeddings({ ...config.embeddings, url }, operator);
  const about = { config: config.embeddings, scanner, note };
  const meaning = embeddings === null ? null : openMeaning({ ...about, embeddings });
  const texts =
    embeddings === null ? null : openTextVectors({ ...about, embeddings, part: 'tools', signal: closing.signal });
  const weight = percent / 100;
  const reranker = openReranker({ config: config.rerank, models, operator, note });
  return {
    aid: async (view, request) => {
      const text = request.text.trim();
      const found = meaning === null ? OFF : await meaning.nearest(view, text, request);
      const aid: Aid = {
        nearest: found.capabilities,
        tools: found.tools,
        weight,
        first: [],
        meaning: found.state,
        reranking: 'off',
        key: found.state,
      };
      return reranker === null ? aid : reranked(view, { ...request, text }, aid, reranker);
    },
    aidTools: (question) =>
      aidTools({ meaning, texts, reranker, weight, wait_ms }, { ...question, text: question.text.trim() }),
    close: async () => {
      closing.abort();
      await Promise.all([operator.close(), scanner.close()]);
    },
  };
}

const OFF = { state: 'off', capabilities: NO_HITS, tools: NO_HITS } as const;

async function reranked(view: MarketplaceView, request: SearchRequest, aid: Aid, reranker: Reranker): Promise<Aid> {
  const head = { ...request, aid, limit: RANKING.fusion.reranked, offset: 0 };
  const { hits } = searchCapabilities(view, head);
  if (hits.length < 2) return aid;
  const documents = hits.map(({ row }) => capabilityOfHit(view, row));
  const key = JSON.stringify([request.text, ...documents.map(({ id }) => id)]);
  const found = await reranker.ask(key, { query: request.text, documents });
  if (found.state !== 'used') return { ...aid, reranking: found.state, key: `${aid.key} ${found.state}` };
  const first = found.answer.map((place) => (hits[place] as (typeof hits)[number]).row);
  return { ...aid, first, reranking: 'used', key: `${aid.key} ${found.answer.join()}` };
}
