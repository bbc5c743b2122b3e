import { emptyState } from '../parts/block.ts';
import { count, cut } from '../parts/words.ts';
import { html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/collections`: what operators put together. */
export const collections: Page = {
  get: async ({ capstan }) => {
    const { items } = await capstan.collections.list();
    const shown = items.filter((item) => item.count > 0);
    const content = html`<div class="head"><h1>Collections</h1><p class="lead">Chosen by the operators of this service.</p></div>
${
  shown.length === 0
    ? emptyState({
        shape: 'layers',
        title: 'No collections yet.',
        text: 'Browse has everything that is listed here.',
        action: { href: '/marketplace', words: 'Browse' },
      })
    : html`<ul class="collections">${shown.map(({ slug, title, description, count: many }) => html`<li><a class="card pad" href="/collections/${slug}"><strong><bdi>${cut(title, 80)}</bdi></strong><span class="fine" dir="auto">${cut(description, 300)}</span><span class="label">${count(many)} ${many === 1 ? 'listing' : 'listings'}</span></a></li>`)}</ul>`
}`;
    return {
      title: 'Collections',
      description: 'Capabilities that belong together, chosen by the operators.',
      json: '/api/marketplace/collections',
      content,
    };
  },
};
