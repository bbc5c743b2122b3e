import { guideLinks } from '../parts/guide-links.ts';
import { GUIDES, titleOf } from '../parts/guides.ts';
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
    const content = html`<div class="reading">
<nav class="filters contents" aria-label="Guides">${GUIDES.map(({ label, names }) => section(label, names, guides, name))}</nav>
<article class="prose">${raw(guideLinks(await site.renderMarkdown(text), guides))}</article>
</div>`;
    return { title, content };
  },
};

const section = (label: string, names: readonly string[], guides: ReadonlyMap<string, string>, here: string): Html =>
  html`<section><h2>${label}</h2><ul>${names
    .filter((name) => guides.has(name))
    .map(
      (name) =>
        html`<li><a href="/docs/${name}"${name === here && html` aria-current="page"`}>${titleOf(guides.get(name) as string)}</a></li>`,
    )}</ul></section>`;
