import { copyButton } from './copy.ts';
import { titleOf } from './guides.ts';

/** Rewrites links between guides for their pages. Guides are trusted, so search engines may follow their links. */
export const guideLinks = (html: string, guides: ReadonlyMap<string, string>): string =>
  html
    .replace(/>([\w-]+)\.md<\/a>/g, (all, name: string) =>
      guides.has(name) ? `>${titleOf(guides.get(name) as string)}</a>` : all,
    )
    .replaceAll(' rel="nofollow ugc noopener"', '')
    .replace(
      /<h([23])>((?:(?!<h[23]>).)*?)<\/h\1>/g,
      (_all, level, text: string) => `<h${level} id="${anchorOf(text)}">${text}</h${level}>`,
    )
    .replaceAll('<pre>', '<div class="copy" data-island="copy"><pre tabindex="0">')
    .replaceAll('</pre>', `</pre>${copyButton('code').html}</div>`)
    .replace(/href="(?!https?:|mailto:|#|\/)([^"]+)"/g, (_all, path: string) => `href="${pathOf(path)}"`);

function pathOf(path: string): string {
  const [file = '', anchor] = path.split('#');
  const error = /(?:^|\/)errors\/([\w.]+)\.md$/.exec(file)?.[1];
  const guide = /^(?:\.\/)?([\w-]+)\.md$/.exec(file)?.[1];
  const page = error === undefined ? `/docs/${guide ?? ''}` : `/docs/errors/${error}`;
  return guide === undefined && error === undefined ? '/docs' : `${page}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The id of a heading. */
export const anchorOf = (text: string): string =>
  text
    .replace(/<[^<>]*>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
