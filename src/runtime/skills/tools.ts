import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { ModelDeps } from './author/write-with-model.ts';
import type { SkillStore } from './load-skills.ts';
import { skillResource } from './skill-resource.ts';
import { type RegistryGetSkillDeps, registryGetSkill } from './tools/registry-get-skill.ts';
import { skillAuthor } from './tools/skill-author.ts';
import { skillValidate } from './tools/skill-validate.ts';

export const skillTools = (deps: ModelDeps & RegistryGetSkillDeps): Tool[] => [
  registryGetSkill(deps),
  skillAuthor(deps),
  skillValidate(),
];

export const skillResources = (store: SkillStore): ResourceTemplate[] => [skillResource(store)];
