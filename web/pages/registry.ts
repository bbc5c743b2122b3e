import type { ItemList } from '../../sdk/src/index.ts';
import { type Asked, addressOf, askedOf, SORTS } from '../parts/asked.ts';
import { filtersPanel } from '../parts/filters.ts';
import { ledger } from '../parts/listings.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { count } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/registry`: the list, with search, filters and sorting in the address. */

const PAGE_SIZE = 25;

export const registry: Page = {
  get: async ({ capstan, query, site }) => {
    const asked = askedOf(query);
    const { search, filters, sort, offset } = asked;
    const [found, stats] = await Promise.all([
      orWarmingUp(
        capstan.registry.listItems({ ...filters, search: search || undefined, sort, offset, limit: PAGE_SIZE }),
      ),
      orWarmingUp(capstan.registry.getStats()),
    ]);
    const content = html`<div class="head">
<h1>Registry</h1>
${searchForm(search, { ...filters, ...(sort === 'downloads' ? {} : { sort }) }, true)}
</div>
<div class="catalogue">
<div id="filters">${stats !== null && filtersPanel(asked, stats)}</div>
<section id="results" aria-labelledby="found">${found === null ? WARMING_UP : results(found, asked, site.now())}</section>
</div>`;
    const md = new URLSearchParams({ ...filters, ...(search === '' ? {} : { search }), sort });
    return {
      title: search === '' ? 'Registry' : `${search.slice(0, 60)} in the registry`,
      description: 'Skills, servers, harnesses and rigs of eight public registries, searchable in one place.',
      content,
      markdown: `/api/marketplace/skills.md?${md}`,
      unlisted: search !== '' || offset > 0,
    };
  },
};

const WARMING_UP = html`<div class="found"><h2 id="found">The catalogue is being built</h2></div>
<p class="none">This takes a moment after a start. <a href="/registry">Look again</a>.</p>`;

const results = (found: ItemList, asked: Asked, now_ms: number): Html => html`<div class="found">
<h2 id="found">${heading(found)}</h2>
<nav class="sorts" aria-label="Sort"><span class="label" aria-hidden="true">Sort by</span>
${Object.entries(SORTS).map(
  ([sort, label]) =>
    html`<a href="${addressOf(asked, { sort: sort === 'downloads' ? '' : sort, offset: '' })}"${asked.sort === sort && html` aria-current="true"`}>${label}</a>`,
)}</nav>
</div>
${found.items.length === 0 ? nothing(found, asked) : ledger(found.items, now_ms)}
${pager(found, asked)}`;

function heading({ total_count, offset, items }: ItemList): string {
  if (total_count === 0) return 'Nothing found';
  if (items.length === total_count) return `${count(total_count)} ${total_count === 1 ? 'listing' : 'listings'}`;
  if (items.length === 0) return `${count(total_count)} listings`;
  return `${count(offset + 1)} to ${count(offset + items.length)} of ${count(total_count)}`;
}

const nothing = ({ total_count }: ItemList, asked: Asked): Html => html`<div class="none">
${
  total_count > 0
    ? html`<p>The list ends before this page. <a href="${addressOf(asked, { offset: '' })}">Back to its beginning</a>.</p>`
    : asked.search !== ''
      ? html`<p>Every word must occur in the name, the description or the author. Try fewer or shorter words${Object.keys(asked.filters).length > 0 && html`, or <a href="${addressOf({ ...asked, filters: {} })}">search without filters</a>`}.</p>`
      : html`<p>Listings appear here as the providers are synced. <a href="/providers">See how far each is</a>.</p>`
}
</div>`;

function pager({ total_count, offset, limit }: ItemList, asked: Asked): Html | null {
  const last = Math.floor((total_count - 1) / limit) * limit;
  const before = Math.max(0, Math.min(offset - limit, last));
  const is_first = offset === 0;
  const is_last = offset + limit >= total_count;
  if (is_first && is_last) return null;
  return html`<nav class="pages" aria-label="Pages">
${is_first ? html`<span></span>` : html`<a rel="prev" href="${addressOf(asked, { offset: before > 0 ? `${before}` : '' })}">← Previous</a>`}
${!is_last && html`<a rel="next" href="${addressOf(asked, { offset: `${offset + limit}` })}">Next →</a>`}
</nav>`;
}
