import { choice, duration, integer, optional, rate, text } from '#core/config/config.ts';
import { baseUrl, chatModel } from '#core/llm/settings.ts';

/** Models of the operator that search may ask. Without any, it ranks by words alone. */
export const SEARCH_SETTINGS = {
  embeddings: {
    url: baseUrl(
      'CAPSTAN_EMBEDDINGS_URL',
      true,
      "Base URL of a server with OpenAI's `POST /embeddings`, such as http://127.0.0.1:11434/v1. If unset, search ranks by words alone.",
    ),
    key: optional('CAPSTAN_EMBEDDINGS_KEY', {
      description: 'API key for CAPSTAN_EMBEDDINGS_URL, if required.',
      secret: true,
    }),
    model: optional('CAPSTAN_EMBEDDINGS_MODEL', {
      description: 'Embedding model. Changing it makes new vectors of all listings.',
    }),
    dimensions: integer('CAPSTAN_EMBEDDINGS_DIMENSIONS', 0, 0, 4_096, {
      description:
        'Dimensions to request of the model; 0 takes what it has. Changing it makes new vectors of all listings.',
    }),
    document_prefix: text('CAPSTAN_EMBEDDINGS_DOCUMENT_PREFIX', '', {
      description: 'Text that the model needs before a document, such as "passage: ".',
    }),
    query_prefix: text('CAPSTAN_EMBEDDINGS_QUERY_PREFIX', '', {
      description: 'Text that the model needs before a query, such as "query: ".',
    }),
    batch: integer('CAPSTAN_EMBEDDINGS_BATCH', 32, 1, 256, {
      description: 'Maximum listings per request.',
    }),
    pace: rate('CAPSTAN_EMBEDDINGS_PACE', 'embeddings', '120/1m', {
      description: 'Maximum requests for vectors of listings.',
    }),
    query_pace: rate('CAPSTAN_EMBEDDINGS_QUERY_PACE', 'query-embeddings', '1200/1m', {
      description: 'Maximum requests for vectors of searches per process. Searches beyond it rank by words alone.',
    }),
    wait_ms: duration('CAPSTAN_EMBEDDINGS_WAIT', '300ms', 1, {
      description: "How long a search waits for its query's vector before it ranks by words alone.",
    }),
    weight: integer('CAPSTAN_EMBEDDINGS_WEIGHT', 30, 1, 100, {
      description:
        'How much the order by meaning counts, in percent of the order by words. Raise it for a model that understands the listings well.',
    }),
    tools: integer('CAPSTAN_EMBEDDINGS_TOOLS', 100_000, 0, 10_000_000, {
      description:
        'Maximum tools of listings that get vectors of their own, so that searches for tools find what is meant; 0 for none.',
    }),
    least_similarity: integer('CAPSTAN_EMBEDDINGS_LEAST_SIMILARITY', 0, 0, 100, {
      description:
        'Minimum cosine, in percent, of a listing found by its meaning. What is unrelated depends on the model.',
    }),
  },
  private_tools: choice('CAPSTAN_SEARCH_PRIVATE_TOOLS', 'off', ['on', 'off'], {
    description:
      "Whether the models of the search may also get names, descriptions and arguments of tools of users' connections, and the texts of searches for them.",
  }),
  rerank: {
    url: baseUrl(
      'CAPSTAN_RERANK_URL',
      true,
      'Base URL of a server with the `POST /rerank` of Cohere and Jina, which orders the first 30 results.',
    ),
    key: optional('CAPSTAN_RERANK_KEY', { description: 'API key for CAPSTAN_RERANK_URL, if required.', secret: true }),
    model: optional('CAPSTAN_RERANK_MODEL', { description: 'Reranking model at CAPSTAN_RERANK_URL.' }),
    chat_model: chatModel(
      'CAPSTAN_RERANK_CHAT_MODEL',
      'Chat model that orders the first 30 results if CAPSTAN_RERANK_URL is unset.',
    ),
    wait_ms: duration('CAPSTAN_RERANK_WAIT', '1s', 1, {
      description: 'How long a search waits for the reranker before it answers without it.',
    }),
    pace: rate('CAPSTAN_RERANK_PACE', 'rerank', '120/1m', {
      description: 'Maximum requests to the reranker per process. Searches beyond it are not reranked.',
    }),
  },
} as const;
