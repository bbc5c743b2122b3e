import { docsFound } from '../parts/docs-search.ts';
import { GUIDES, leadOf, titleOf } from '../parts/guides.ts';
import { searchForm } from '../parts/search-form.ts';
import { cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/docs`: the guides, grouped by purpose. */
export const docs: Page = {
  get: async ({ site, query }) => {
    const search = (query.get('search') ?? '').trim().slice(0, 400);
    const guides = await site.guides();
    const named = new Set(GUIDES.flatMap(({ names }) => names));
    const others = [...guides.keys()].filter((name) => !named.has(name));
    const groups = [...GUIDES, ...(others.length === 0 ? [] : [{ label: 'More', names: others }])];
    const content = html`<div class="head"><h1>Docs</h1>
<p class="lead">Find, connect, run and verify capabilities with ${site.title} ${site.version}.</p>
${searchForm({ action: '/docs', label: 'Search the docs', placeholder: 'Search guides, operations and error codes', value: search, follow: true })}</div>
<div id="results">${
      search !== ''
        ? await docsFound(site, search)
        : html`<div class="shelves">
${groups.map(({ label, names }) => shelf(label, names, guides))}
<section><h2>Reference</h2><ul class="ledger">
<li><h3><a href="/reference">API reference</a></h3><p class="about">Every operation, with a form to try it.</p></li>
<li><h3><a href="/docs/errors">Error codes</a></h3><p class="about">What each code means and what to do.</p></li>
</ul></section>
</div>`
    }</div>`;
    return {
      title: search === '' ? 'Docs' : `${cut(search, 80)} in the docs`,
      content,
      unlisted: search !== '',
      markdown: '/api/docs.md',
    };
  },
};

const shelf = (
  label: string,
  names: readonly string[],
  guides: ReadonlyMap<string, string>,
): Html => html`<section><h2>${label}</h2>
<ul class="ledger">${names.flatMap((name) => {
  const text = guides.get(name);
  return text === undefined
    ? []
    : [html`<li><h3><a href="/docs/${name}">${titleOf(text)}</a></h3><p class="about">${leadOf(text)}</p></li>`];
})}</ul></section>`;
