import { defined } from '#core/defined.ts';
import { broken, type Called } from './failure.ts';
import { type ModelServer, postJson } from './post-json.ts';

interface RerankOrder {
  model: string | null;
  query: string;
  documents: readonly string[];
}

const MAX_BYTES = 262_144;

/**
 * The places of the documents, the best first, from a server with the `POST /rerank` of Cohere and Jina. Each place occurs once. What
 * the server left out follows in its order. Throws Problems `llm.*`; an abort throws its reason.
 */
export async function rerank(
  server: ModelServer,
  { model, query, documents }: RerankOrder,
  signal: AbortSignal,
): Promise<number[]> {
  const wanted = defined({ model: model ?? undefined });
  const order = { query, documents, top_n: documents.length, return_documents: false, ...wanted };
  const body = await postJson(server, order, { signal, max_bytes: MAX_BYTES });
  return placesOf(body, documents.length, { provider: server.title, key: server.key });
}

function placesOf(body: unknown, count: number, called: Called): number[] {
  const results = (body as { results?: unknown } | null)?.results;
  if (!Array.isArray(results) || results.length === 0 || results.length > count)
    throw broken(called, 'had no list `results` of the right length');
  const scores = new Map<number, number>();
  for (const result of results) {
    const { index, relevance_score: score } = (result ?? {}) as { index?: unknown; relevance_score?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || scores.has(index as number))
      throw broken(called, 'named a document that it was not given, or one twice');
    if (typeof score !== 'number' || !Number.isFinite(score)) throw broken(called, 'had a result without a score');
    scores.set(index as number, score);
  }
  const ranked = [...scores.keys()].sort((a, b) => (scores.get(b) as number) - (scores.get(a) as number) || a - b);
  const rest = Array.from({ length: count }, (_, place) => place).filter((place) => !scores.has(place));
  return [...ranked, ...rest];
}
