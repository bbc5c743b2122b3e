import { type IndexOptions, type OpenedIndex, openCapabilityIndex } from '#catalog/search/marketplace-index.ts';
import type { BuiltInSkill } from './built-in-skills.ts';

interface Options extends Omit<IndexOptions, 'thread'> {
  /** Of `databaseIdentity`. Versions of the index begin with it. */
  identity: string;
  skills: readonly BuiltInSkill[];
  /** Where fetched documents are. */
  blobs_dir: string;
}

/** Opens the index with the thread that reads the marketplace's documents. */
export function openIndex({ identity, skills, blobs_dir, ...options }: Options): OpenedIndex {
  const data = { identity, skills, blobs_dir };
  return openCapabilityIndex({
    ...options,
    thread: { entry: new URL('./index-thread.ts', import.meta.url), data },
  });
}
