import { type Check, type Finding, fail, ok } from '#core/doctor/check.ts';
import { openEmbeddings } from '#core/llm/embeddings.ts';
import { type LlmConfig, openModels } from '#core/llm/models.ts';
import { rerank } from '#core/llm/rerank.ts';
import { type OperatorFetch, openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { Problem } from '#core/problem/problem.ts';
import { chatOrder } from './chat-order.ts';
import type { SearchModelConfig } from './space.ts';

/** Asks the models of the search as a search would. */
export const searchModelCheck = ({ search, llm }: { search: SearchModelConfig; llm: LlmConfig }): Check => ({
  name: 'search models',
  run: async (signal) => {
    const operator = openOperatorFetch();
    try {
      const found = [
        ...(await aboutEmbeddings(search, operator, signal)),
        ...(await aboutReranker(search, llm, operator, signal)),
      ];
      if (found.length === 0) return [ok('No model is configured for search, which ranks by words alone.')];
      if (search.private_tools === 'on')
        found.push(ok("These models also get tools of users' connections (CAPSTAN_SEARCH_PRIVATE_TOOLS)."));
      return found;
    } finally {
      await operator.close();
    }
  },
});

const SAMPLE = 'Convert a PDF file to text';

async function aboutEmbeddings(
  { embeddings: config }: SearchModelConfig,
  operator: OperatorFetch,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { url, wait_ms } = config;
  if (url === null) return [];
  const embeddings = openEmbeddings({ ...config, url }, operator);
  const beganMs = performance.now();
  try {
    const [vector] = await embeddings.embed([SAMPLE], signal);
    const tookMs = Math.round(performance.now() - beganMs);
    return [
      ok(`The embeddings server answers with ${vector?.length} dimensions, in ${tookMs} ms (limit: ${wait_ms} ms).`),
    ];
  } catch (error) {
    return [
      fail(
        messageOf(error, 'The embeddings server'),
        'Check CAPSTAN_EMBEDDINGS_URL, _KEY, _MODEL and _DIMENSIONS; until then search ranks by words alone',
      ),
    ];
  }
}

const DOCUMENTS = [
  { name: 'weather', listing_type: 'skill', description: 'Forecasts the weather of a city.' },
  { name: 'pdf-text', listing_type: 'skill', description: 'Extracts the text of PDF files.' },
];

async function aboutReranker(
  { rerank: config }: SearchModelConfig,
  llm: LlmConfig,
  operator: OperatorFetch,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { url, key, model, chat_model, wait_ms } = config;
  if (url === null && chat_model === null) return [];
  const beganMs = performance.now();
  const models = openModels(llm);
  try {
    if (url !== null) {
      const server = { title: 'The reranker', url: `${url}/rerank`, key, operator };
      await rerank(
        server,
        { model, query: SAMPLE, documents: DOCUMENTS.map(({ description }) => description) },
        signal,
      );
    } else {
      const chat = models.pick(chat_model);
      if (chat === null) return [fail(`${chat_model} is not available for reranking.`, 'Configure its provider')];
      await chatOrder(chat, { query: SAMPLE, documents: DOCUMENTS }, signal);
    }
    const tookMs = Math.round(performance.now() - beganMs);
    return [ok(`The reranker answers in ${tookMs} ms (limit: ${wait_ms} ms).`)];
  } catch (error) {
    const settings = url === null ? 'CAPSTAN_RERANK_CHAT_MODEL' : 'CAPSTAN_RERANK_URL, _KEY and _MODEL';
    return [fail(messageOf(error, 'The reranker'), `Check ${settings}; until then results are not reranked`)];
  } finally {
    await models.close();
  }
}

const messageOf = (error: unknown, who: string): string =>
  error instanceof Problem ? error.message : `${who} did not answer in time.`;
