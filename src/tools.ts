import type { Parts } from './parts.ts';
import type { Extension } from './platform/tools/extension.ts';
import type { Prompt } from './platform/tools/prompt.ts';
import type { ResourceTemplate } from './platform/tools/resource.ts';
import type { Tool } from './platform/tools/tool.ts';

/** Everything that models are offered, gathered from the features that bring it. */

export interface Offer {
  tools: Tool[];
  resources: ResourceTemplate[];
  prompts: Prompt[];
  extensions: Extension[];
}

export const openOffer = (_parts: Parts): Offer => ({ tools: [], resources: [], prompts: [], extensions: [] });
