import type { Tool } from '#core/tools/tool.ts';
import type { ModelDeps } from '#runtime/skills/author/write-with-model.ts';
import { harnessAuthor } from './tools/harness-author.ts';
import { harnessContextGet } from './tools/harness-context-get.ts';
import { harnessCreate } from './tools/harness-create.ts';
import { harnessMemoryList } from './tools/harness-memory-list.ts';
import { harnessMemoryRead } from './tools/harness-memory-read.ts';
import { harnessMemorySearch } from './tools/harness-memory-search.ts';
import { harnessMemoryWrite } from './tools/harness-memory-write.ts';
import { harnessValidate } from './tools/harness-validate.ts';
import type { HarnessesDeps } from './usage.ts';

/** Tools for authors of harnesses; no account needed. */
export const harnessAuthorTools = (deps: ModelDeps): Tool[] => [harnessAuthor(deps), harnessValidate()];

/** Tools for owners of harnesses. */
export const harnessTools = (deps: HarnessesDeps): Tool[] => [
  harnessCreate(deps),
  harnessMemoryWrite(deps),
  harnessMemoryRead(deps),
  harnessMemorySearch(deps),
  harnessMemoryList(deps),
  harnessContextGet(deps),
];
