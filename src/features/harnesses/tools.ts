import type { Tool } from '../../platform/tools/tool.ts';
import type { ModelDeps } from '../skills/author/write-with-model.ts';
import { harnessAuthor } from './tools/harness-author.ts';
import { harnessValidate } from './tools/harness-validate.ts';

export const harnessTools = (deps: ModelDeps): Tool[] => [harnessAuthor(deps), harnessValidate()];
