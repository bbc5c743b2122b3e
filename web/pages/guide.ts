import { guideLinks } from '../parts/guide-links.ts';
import { GUIDES, leadOf, titleOf } from '../parts/guides.ts';
import { outline } from '../parts/outline.ts';
import { type Html, html, raw } from '../server/html.ts';
import type { Page } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';

/** `/docs/{guide}`: a guide, with a list of all guides. */
export const guide: Page = {
  get: async ({ params, site, path }) => {
    const name = params.guide as string;
    const guides = await site.guides();
    const text = guides.get(name);
    if (text === undefined) return noPage(path);
    const title = titleOf(text);
    const rendered = guideLinks(await site.renderMarkdown(text), guides);
    const sections = outline(rendered);
    const content = html`<div class="reading${sections !== null && ' outlined'}">
<nav class="toc contents" aria-label="Guides">${GUIDES.map(({ label, names }) => section(label, names, guides, name))}</nav>
${sections}
<div><article class="prose">${raw(rendered)}</article>
${neighbours(name, guides)}
<p class="fine">For ${site.title} ${site.version}.</p></div>
</div>`;
    return { title, description: leadOf(text), content };
  },
};

/** The guides before and after this one, in the order of the list. */
function neighbours(name: string, guides: ReadonlyMap<string, string>): Html | null {
  const names = GUIDES.flatMap((group) => group.names).filter((each) => guides.has(each));
  const at = names.indexOf(name);
  if (at === -1) return null;
  const link = (to: string | undefined, rel: 'prev' | 'next') =>
    to === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="/docs/${to}">${rel === 'prev' && '← '}${titleOf(guides.get(to) as string)}${rel === 'next' && ' →'}</a>`;
  return html`<nav class="pages" aria-label="Previous and next guide">${link(names[at - 1], 'prev')}${link(names[at + 1], 'next')}</nav>`;
}

const section = (label: string, names: readonly string[], guides: ReadonlyMap<string, string>, here: string): Html =>
  html`<section><h2>${label}</h2><ul>${names
    .filter((name) => guides.has(name))
    .map(
      (name) =>
        html`<li><a href="/docs/${name}"${name === here && html` aria-current="page"`}>${titleOf(guides.get(name) as string)}</a></li>`,
    )}</ul></section>`;
