import MarkdownIt from 'markdown-it';

/** Renders Markdown as HTML that is safe for any author: raw HTML stays text, and only web links become links. */

const renderer = new MarkdownIt({ html: false, linkify: false, typographer: false });

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

export const renderMarkdown = (text: string): string => renderer.render(text);
