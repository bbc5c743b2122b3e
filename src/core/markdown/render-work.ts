import { renderMarkdown } from './render.ts';

/** Work for a thread of the worker pool: Markdown that anybody may have written, as safe HTML. */
export const run = (text: string): string => renderMarkdown(text);
