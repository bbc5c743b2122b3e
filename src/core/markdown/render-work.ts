import { renderMarkdown } from './render.ts';

/** Runs in a worker thread: renders untrusted Markdown as safe HTML. */
export const run = (text: string): string => renderMarkdown(text);
