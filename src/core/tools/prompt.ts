import type { Asking } from './asking.ts';
import type { ContentBlock } from './tool.ts';

/** Prompts that users select in their client. Provided by wings like their tools. */

export interface Prompt {
  /** Kebab case, such as `find-and-run`. */
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Returns the messages for the model, with the arguments as data. */
  messages(values: Record<string, string>, asking: Asking): Promise<PromptMessage[]>;
}

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** Returns up to 100 values that begin with the typed text, best first. */
  complete?(typed: string): Promise<string[]>;
}

export type PromptMessage = { role: 'user' | 'assistant' } & ({ text: string } | { block: ContentBlock });
