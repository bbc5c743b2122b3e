import MarkdownIt from 'markdown-it';
import { highlighted } from './highlight.ts';

/**
 * Renders Markdown as HTML that is safe for any author: only web links become links, and tags that only arrange text are left out. All
 * other raw HTML, comments too, is shown as text, so that readers see what a model would read.
 */

const renderer = new MarkdownIt({
  html: false,
  linkify: false,
  typographer: false,
  highlight: (code, language) => highlighted(code, language) ?? '',
});

/** Tags that change nothing about what a text says. */
const LAYOUT =
  /<\/?(?:a|b|br|center|code|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|picture|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul)(?:[\s/][^<>]{0,500})?>/iy;

renderer.inline.ruler.before('autolink', 'layout', (state, silent) => {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  LAYOUT.lastIndex = state.pos;
  const tag = LAYOUT.exec(state.src)?.[0];
  if (tag === undefined) return false;
  if (silent) {
    state.pos += tag.length;
    return true;
  }
  if (/^<br/i.test(tag)) state.push('softbreak', 'br', 0);
  // As for images in Markdown, the text is shown instead.
  const text = /^<img/i.test(tag) ? / alt=("[^"]*"|'[^']*')/i.exec(tag)?.[1] : undefined;
  if (text !== undefined) state.push('text', '', 0).content = text.slice(1, -1);
  state.pos += tag.length;
  return true;
});

renderer.validateLink = (url) => /^(https?:\/\/|mailto:|\/(?!\/)|#|[\w.-]+(\/|$))/i.test(url.trim());

const renderToken: NonNullable<MarkdownIt['renderer']['rules']['link_open']> = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'nofollow ugc noopener');
  return self.renderToken(tokens, index, options);
};
renderer.renderer.rules.link_open = renderToken;
// Readers would load an image from a third party, so its text is shown instead.
renderer.renderer.rules.image = (tokens, index) => renderer.utils.escapeHtml(tokens[index]?.content ?? '');
// Alignment is an inline style, which the pages' content security policy forbids.
for (const rule of ['th_open', 'td_open']) renderer.renderer.rules[rule] = (tokens, index) => `<${tokens[index]?.tag}>`;

/** A paragraph of tags alone leaves nothing. */
export const renderMarkdown = (text: string): string => renderer.render(text).replace(/<p>\s*<\/p>\n?/g, '');
