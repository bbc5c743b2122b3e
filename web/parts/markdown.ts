import { type Html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';

/** Markdown of whoever wrote it. What is wider than its place can be reached by the keyboard. */
export const markdown = async (site: Site, text: string): Promise<Html> =>
  raw((await site.renderMarkdown(text)).replaceAll('<pre>', '<pre tabindex="0">'));
