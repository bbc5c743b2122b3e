import { type IndexOptions, type OpenedIndex, openCapabilityIndex } from '#catalog/search/marketplace-index.ts';
import { type ModelOptions, openSearchModels } from '#catalog/search/model/open-search-models.ts';
import { spaceOf } from '#catalog/search/model/space.ts';
import { defined } from '#core/defined.ts';
import type { BuiltInSkill } from './built-in-skills.ts';

interface Options extends Omit<IndexOptions, 'thread' | 'models' | 'follows'> {
  /** Of `databaseIdentity`. Versions of the index begin with it. */
  identity: string;
  skills: readonly BuiltInSkill[];
  /** Where fetched documents are. */
  blobs_dir: string;
  /** Whether this service has a language model. */
  has_model: boolean;
  /** Of the operator; without them, search ranks by words. */
  search_models?: ModelOptions;
}

/** Opens the index with the thread that reads the marketplace's documents. */
export function openIndex({ identity, skills, blobs_dir, has_model, search_models, ...options }: Options): OpenedIndex {
  const space = search_models === undefined ? null : spaceOf(search_models.config);
  const data = { identity, skills, blobs_dir, has_model, space };
  return openCapabilityIndex({
    ...options,
    thread: { entry: new URL('./index-thread.ts', import.meta.url), data },
    follows: space === null ? [] : ['search_vectors'],
    ...defined({ models: search_models && openSearchModels(search_models) }),
  });
}
