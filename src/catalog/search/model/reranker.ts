import { unavailable } from '#core/llm/failure.ts';
import type { Models } from '#core/llm/models.ts';
import { rerank } from '#core/llm/rerank.ts';
import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { askInTime, type InTime } from './ask-in-time.ts';
import { chatOrder, type RerankQuestion } from './chat-order.ts';
import type { NoteAsked } from './meter.ts';
import { pacer } from './pacer.ts';
import type { SearchModelConfig } from './space.ts';

/** Answers places in the list of documents, the best first, each once. */
export type Reranker = InTime<RerankQuestion, readonly number[]>;

interface RerankerOptions {
  config: SearchModelConfig['rerank'];
  models: Pick<Models, 'pick'>;
  operator: OperatorFetch;
  note: NoteAsked;
}

const MOST_CHARS = 500;

/** Null without one. */
export function openReranker({ config, models, operator, note }: RerankerOptions): Reranker | null {
  const ask = askOf({ config, models, operator });
  if (ask === null) return null;
  const { wait_ms, pace } = config;
  return askInTime({ ask, wait_ms, note: (outcome) => note('rerank', outcome), mayAsk: pacer(pace) });
}

type Ask = (question: RerankQuestion, signal: AbortSignal) => Promise<readonly number[]>;

function askOf({ config, models, operator }: Omit<RerankerOptions, 'note'>): Ask | null {
  const { url, key, model, chat_model } = config;
  if (url !== null) {
    const server = { title: 'The reranker', url: `${url}/rerank`, key, operator };
    return ({ query, documents }, signal) => rerank(server, { model, query, documents: documents.map(textOf) }, signal);
  }
  if (chat_model === null) return null;
  return (question, signal) => {
    const chat = models.pick(chat_model);
    if (chat === null) throw unavailable({ provider: chat_model, key: null }, 'it is not configured');
    return chatOrder(chat, question, signal);
  };
}

const textOf = ({ name, listing_type, description }: RerankQuestion['documents'][number]): string =>
  `${name} (${listing_type})\n${description}`.slice(0, MOST_CHARS).toWellFormed();
