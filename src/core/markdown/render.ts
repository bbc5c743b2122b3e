import MarkdownIt from 'markdown-it';

/** Markdown as HTML that is safe to show whoever wrote it: raw HTML stays text, and only web links are links. */

const renderer = new MarkdownIt({ html: false, linkify: false, typographer: false });

renderer.validateLink = (url) => /^(https?:\/\/|mailto:|\/(?!\/)|#|[\w.-]+(\/|$))/i.test(url.trim());

const renderToken: NonNullable<MarkdownIt['renderer']['rules']['link_open']> = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'nofollow ugc noopener');
  return self.renderToken(tokens, index, options);
};
renderer.renderer.rules.link_open = renderToken;
// A picture would be fetched from a stranger by whoever reads the page: its text stands instead.
renderer.renderer.rules.image = (tokens, index) => renderer.utils.escapeHtml(tokens[index]?.content ?? '');
// Alignment comes as an inline style, which the pages' policy does not allow.
for (const rule of ['th_open', 'td_open']) renderer.renderer.rules[rule] = (tokens, index) => `<${tokens[index]?.tag}>`;

export const renderMarkdown = (text: string): string => renderer.render(text);
