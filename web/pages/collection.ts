import { emptyState } from '../parts/block.ts';
import { capabilityCards } from '../parts/featured.ts';
import { cut } from '../parts/words.ts';
import { html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/collections/{slug}`: a collection in the order of its operators. */
export const collection: Page = {
  get: async ({ capstan, params: { slug = '' } }) => {
    const { title, description, items } = await capstan.collections.get({ slug });
    const content = html`<header class="head"><p class="label"><a href="/collections">Collections</a></p><h1><bdi>${cut(title, 80)}</bdi></h1>${description !== '' && html`<p class="lead" dir="auto">${cut(description, 300)}</p>`}</header>
${items.length === 0 ? emptyState({ shape: 'layers', title: 'This collection is empty.', text: 'Its listings were removed or are under review.' }) : html`<section class="shelf" aria-labelledby="in"><h2 class="hidden" id="in">Listings</h2>${capabilityCards(items)}</section>`}`;
    return {
      title: cut(title, 80),
      description: cut(description, 200),
      json: `/api/marketplace/collections/${slug}`,
      content,
    };
  },
};
