import { type Html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';

/** Untrusted Markdown as safe HTML. Code that overflows can be scrolled with the keyboard. */
export const markdown = async (site: Site, text: string): Promise<Html> =>
  raw((await site.renderMarkdown(text)).replaceAll('<pre>', '<pre tabindex="0">'));
