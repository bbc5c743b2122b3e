import type { Extension } from './extension.ts';
import type { Prompt } from './prompt.ts';
import type { ResourceTemplate } from './resource.ts';
import type { Tool } from './tool.ts';

/** Everything that models are offered. Code that serves it does not know the wings it comes from. */
export interface Offer {
  tools: readonly Tool[];
  resources: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
  extensions: readonly Extension[];
}
