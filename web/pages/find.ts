import type { Operations } from '../../sdk/src/index.ts';
import { askedOf, type ListPlace } from '../parts/asked.ts';
import { foundGroups } from '../parts/found-groups.ts';
import { foundGuides } from '../parts/found-guides.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';

/** `/find`: few results of each kind, and guides. The search of the header shows them in a panel. */

/** Enough that most kinds have some. */
const LOOKED_AT = 24;

/** Links lead to Browse. */
const PLACE: ListPlace = {
  path: '/marketplace',
  filters: [],
  sorts: { relevance: 'Relevance' },
  first_sort: 'relevance',
};

export const find: Page = {
  get: async ({ capstan, query, site }) => {
    const asked = askedOf(query, PLACE);
    const { search, as_typed } = asked;
    const [hits, guides] = await Promise.all([
      search === '' ? null : orWarmingUp(ofEachKind(capstan.listings, { query: search.slice(0, 400), as_typed })),
      site.guides(),
    ]);
    const found = { asked, guides: foundGuides(guides, search) };
    const content = html`<div class="head"><h1>Search</h1>
${searchForm({ action: '/find', label: 'Search capabilities and docs', value: search, follow: true })}</div>
<section id="results" class="find-results" aria-label="Results">${
      search === ''
        ? html`<p class="none">Type what you want to do.</p>`
        : hits === null
          ? html`<p class="none">The index is being built. Try again in a moment.</p>`
          : foundGroups(hits, found)
    }</section>`;
    return { title: search === '' ? 'Search' : `${search.slice(0, 60)} · Search`, content, unlisted: true };
  },
};

type Api = Visit['capstan']['listings'];
type Hits = Operations['listings']['search']['answer'];

/** A kind whose matches all come later in the order is asked for separately. */
async function ofEachKind(api: Api, order: { query: string; as_typed: boolean }): Promise<Hits> {
  const { query, as_typed } = order;
  const hits = await api.search({ body: { query, as_typed, limit: LOOKED_AT } });
  const missing = hits.facets.listing_type.filter(({ value }) => hits.items.every((hit) => hit.listing_type !== value));
  const others = await Promise.all(
    missing.map(({ value }) => api.search({ body: { query, as_typed, filters: { listing_type: value }, limit: 3 } })),
  );
  return { ...hits, items: [...hits.items, ...others.flatMap(({ items }) => items)] };
}
