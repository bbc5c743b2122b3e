import { emptyState } from '../parts/block.ts';
import { collectionCards, filled } from '../parts/collection-cards.ts';
import { html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/collections`: what operators put together. */
export const collections: Page = {
  get: async ({ capstan }) => {
    const { items } = await capstan.collections.list();
    const shown = filled(items);
    const content = html`<div class="head"><h1>Collections</h1><p class="lead">Chosen by the operators of this service.</p></div>
${
  shown.length === 0
    ? emptyState({
        shape: 'layers',
        title: 'No collections yet.',
        text: 'Browse has everything that is listed here.',
        action: { href: '/marketplace', words: 'Browse' },
      })
    : collectionCards(shown)
}`;
    return {
      title: 'Collections',
      description: 'Capabilities that belong together, chosen by the operators.',
      json: '/api/marketplace/collections',
      content,
    };
  },
};
