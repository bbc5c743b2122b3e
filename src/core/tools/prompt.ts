import type { Asking } from './asking.ts';
import type { ContentBlock } from './tool.ts';

/** Prompts that a person picks in their client. Brought by features like their tools. */

export interface Prompt {
  /** Kebab case, such as `find-and-run`. */
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** What is put before the model, with the arguments in it as data. */
  messages(values: Record<string, string>, asking: Asking): Promise<PromptMessage[]>;
}

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** Values that begin with what was typed, best first, at most 100. */
  complete?(typed: string): Promise<string[]>;
}

export type PromptMessage = { role: 'user' | 'assistant' } & ({ text: string } | { block: ContentBlock });
