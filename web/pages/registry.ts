import type { ItemList } from '../../sdk/src/index.ts';
import { type Asked, addressOf, askedOf, type ListPlace } from '../parts/asked.ts';
import { chosenFilters, filtersPanel } from '../parts/filters.ts';
import { insteadOf } from '../parts/instead-of.ts';
import { ledger } from '../parts/listings.ts';
import { foundHead, foundWords, pager } from '../parts/pager.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/registry`: all listings, with search, filters and sorting in the address. */

const PAGE_SIZE = 25;

const BROWSING: ListPlace = {
  path: '/registry',
  filters: ['provider', 'listing_type', 'execution_class', 'tag'],
  sorts: { downloads: 'Downloads', stars: 'Stars', updated: 'Updated', name: 'Name' },
  first_sort: 'downloads',
};
const SEARCHING: ListPlace = {
  ...BROWSING,
  sorts: { relevance: 'Relevance', ...BROWSING.sorts },
  first_sort: 'relevance',
};

export const registry: Page = {
  get: async ({ capstan, query, site }) => {
    const isSearch = (query.get('search') ?? '').trim() !== '';
    const asked = askedOf(query, isSearch ? SEARCHING : BROWSING);
    const { search, filters, offset, as_typed, place } = asked;
    const sort = asked.sort as 'relevance';
    const text = search.slice(0, 400);
    const [found, stats] = await Promise.all([
      orWarmingUp(
        capstan.items.list({
          ...filters,
          search: text || undefined,
          as_typed: as_typed || undefined,
          sort,
          offset,
          limit: PAGE_SIZE,
        }),
      ),
      orWarmingUp(capstan.items.getStats()),
    ]);
    const content = html`<div class="head">
<h1>Registry</h1>
${searchForm({ ...SEARCH, value: search, kept: { ...filters, ...(asked.sort === place.first_sort || asked.sort === 'downloads' ? {} : { sort }) } })}
</div>
<div class="catalog" data-island="browse">
<div id="filters">${stats !== null && filtersPanel(asked, stats)}</div>
<section id="results" aria-labelledby="found">${found === null ? WARMING_UP : results(found, asked, site.now())}</section>
</div>`;
    const md = new URLSearchParams({ ...filters, ...(search === '' ? {} : { search }), sort });
    return {
      title: search === '' ? 'Registry' : `${search.slice(0, 60)} in the registry`,
      description: 'Search skills, servers, harnesses and rigs from eight public registries.',
      content,
      markdown: `/api/marketplace/skills.md?${md}`,
      unlisted: search !== '' || offset > 0,
    };
  },
};

const SEARCH = { action: '/registry', label: 'Search the registry', follow: true };

const WARMING_UP = html`<div class="found"><h2 id="found">The catalog is being built</h2></div>
<p class="none">This takes a moment after startup. <a href="/registry">Refresh</a></p>`;

const results = (
  found: ItemList,
  asked: Asked,
  nowMs: number,
): Html => html`${foundHead(foundWords(found, ['listing', 'listings']), asked)}
${chosenFilters(asked)}
${insteadOf(found, asked)}
${found.items.length === 0 ? nothing(found, asked) : ledger(found.items, nowMs)}
${pager(found, asked)}`;

const nothing = ({ total_count }: ItemList, asked: Asked): Html => html`<div class="none">
${
  total_count > 0
    ? html`<p>No results on this page. <a href="${addressOf(asked, { offset: '' })}">Go to the first page</a>.</p>`
    : asked.search !== ''
      ? html`<p>No results.${asked.sort !== 'relevance' && html` Every word must appear in the name, description or author.`} Try fewer or different words${Object.keys(asked.filters).length > 0 && html`, or <a href="${addressOf({ ...asked, filters: {} })}">search without filters</a>`}.</p>`
      : html`<p>Listings appear as providers are synced. <a href="/providers">View sync status</a>.</p>`
}
</div>`;
