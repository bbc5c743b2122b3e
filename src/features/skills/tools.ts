import type { Tool } from '../../platform/tools/tool.ts';
import type { ModelDeps } from './author/write-with-model.ts';
import { skillAuthor } from './tools/skill-author.ts';
import { skillValidate } from './tools/skill-validate.ts';

export const skillTools = (deps: ModelDeps): Tool[] => [skillAuthor(deps), skillValidate()];
