import type { Registry } from 'prom-client';
import type { Aid } from '../query/aid.ts';
import type { AskOptions, SearchModels } from './ask-models.ts';
import { searchMeter } from './meter.ts';

/** The operator's models of the search, which are off by default. */

export interface ModelOptions extends Omit<AskOptions, 'note'> {
  registry: Registry;
}

export const NO_SEARCH_MODELS: SearchModels = { aid: () => null, aidTools: () => null, close: async () => {} };

/** Takes no memory without models, and loads what asks them with the first search. */
export function openSearchModels({ registry, ...options }: ModelOptions): SearchModels {
  const note = searchMeter(registry);
  const { embeddings, rerank } = options.config;
  if (embeddings.url === null && rerank.url === null && rerank.chat_model === null) return NO_SEARCH_MODELS;
  let opening: Promise<SearchModels> | null = null;
  const open = (): Promise<SearchModels> => {
    opening ??= import('./ask-models.ts').then(({ askModels }) => askModels({ ...options, note }));
    return opening;
  };
  return {
    aid: (view, request) =>
      request.sort === 'relevance' && request.text.trim() !== '' ? open().then(({ aid }) => aid(view, request)) : null,
    aidTools: (question) =>
      question.text.trim() === '' || (question.is_private && options.config.private_tools === 'off')
        ? null
        : open().then(({ aidTools }) => aidTools(question) as Promise<Aid>),
    close: async () => {
      await (await opening)?.close();
    },
  };
}
