import type { Operations } from '../../sdk/src/index.ts';
import { type Asked, addressOf, askedOf, type ListPlace } from '../parts/asked.ts';
import { capabilityLedger, type RowsShown } from '../parts/capabilities.ts';
import { facetsPanel, READY } from '../parts/facets.ts';
import { featuredShelf } from '../parts/featured.ts';
import { COPIES_OF, chosenFilters, quickFilters } from '../parts/filters.ts';
import { hotList } from '../parts/hot.ts';
import { insteadOf } from '../parts/instead-of.ts';
import { type Found, foundHead, foundWords, pager } from '../parts/pager.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { count } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';

/** `/marketplace`: capabilities, each listed once. Search, filters and sorting are in the address. */

const PAGE_SIZE = 25;
const BROWSING: ListPlace = {
  path: '/marketplace',
  filters: [
    ...['availability', 'listing_type', 'confirmed', 'level', 'license', 'updated', 'provider', 'execution_class'],
    ...['category', 'verified', 'tag', COPIES_OF],
  ],
  sorts: { relevance: 'Recommended', downloads: 'Downloads', stars: 'Stars', updated: 'Updated', name: 'Name' },
  first_sort: 'relevance',
};
/** Only a search can sort by relevance. */
const SEARCHING: ListPlace = {
  ...BROWSING,
  sorts: { ...BROWSING.sorts, relevance: 'Relevance' },
};

type Api = Visit['capstan']['listings'];
type Stats = Operations['listings']['getStats']['answer'];
type Listed = Operations['listings']['search']['answer'];

export const marketplace: Page = {
  get: async ({ capstan, query, site }) => {
    const searched = (query.get('search') ?? '').trim() !== '';
    const asked = askedOf(query, searched ? SEARCHING : BROWSING);
    const isFront = !searched && Object.keys(asked.filters).length === 0 && asked.offset === 0 && !query.has('sort');
    const [found, stats, front] = await Promise.all([
      orWarmingUp(search(capstan.listings, asked)),
      orWarmingUp(capstan.listings.getStats()),
      isFront ? frontOf(capstan) : null,
    ]);
    const { search: text, filters, sort, place } = asked;
    const kept = { ...filters, ...(sort === place.first_sort || sort === 'downloads' ? {} : { sort }) };
    const content = html`<div class="head">
<h1>Browse</h1>
${searchForm({ action: '/marketplace', label: 'Search the marketplace', value: text, kept, follow: true })}
${stats !== null && html`${statsLine(stats)}${linkingLine(stats)}`}
<a class="skip" href="#results">Skip the filters</a></div>
<div class="catalog" data-island="browse">
<div id="filters">${found !== null && facetsPanel(asked, found.facets)}</div>
<section id="results" aria-labelledby="found">${found === null ? WARMING_UP : html`${front}${results(found, asked, { nowMs: site.now() })}`}</section>
</div>`;
    return {
      title: searched ? `${text.slice(0, 60)} · Browse` : 'Browse',
      description:
        'Agent capabilities from eight registries and from publishers here, with their sources and verified runs.',
      content,
      ...otherForms(asked),
      unlisted: searched || asked.offset > 0,
    };
  },
};

const search = (api: Api, { search: text, filters, sort, offset, as_typed }: Asked): Promise<Listed> =>
  api.search({
    body: {
      ...(text === '' ? {} : { query: text.slice(0, 400), as_typed }),
      ...(filters.copies_of === undefined ? {} : { copies_of: filters.copies_of.slice(0, 200) }),
      filters: filtersOf(filters),
      sort: sort as 'relevance',
      limit: PAGE_SIZE,
      offset,
    },
  });

type Body = NonNullable<NonNullable<Parameters<Api['search']>[0]>['body']>;
type Filters = NonNullable<Body['filters']>;

/** As the API takes them. It refuses unknown values. */
function filtersOf({ copies_of: _, availability, license, confirmed, verified, ...others }: Asked['filters']): Filters {
  return {
    ...others,
    ...(availability === undefined ? {} : { availability: availability === 'ready' ? READY : [availability] }),
    ...(license === undefined ? {} : { license: [license] }),
    ...(confirmed === undefined ? {} : { confirmed: confirmed === 'true' }),
    ...(verified === undefined ? {} : { verified: verified === 'true' }),
  } as Filters;
}

/** Shown above the list when nothing is searched or filtered. */
async function frontOf({ featured: shelf, discovery }: Visit['capstan']): Promise<Html> {
  const [featured, hot] = await Promise.all([shelf.list(), discovery.listHot({ limit: 6 })]);
  return html`${featured.items.length > 0 && featuredShelf(featured.items.slice(0, 6))}
${hot.items.length > 0 && html`<section class="shelf" aria-labelledby="hot"><h2 id="hot">Most run this week</h2>${hotList(hot.items)}</section>`}`;
}

const WARMING_UP = html`<div class="found"><h2 id="found">The marketplace’s index is being built</h2></div>
<p class="none">This takes a moment after startup. <a href="/marketplace">Refresh</a></p>`;

function statsLine({ capabilities, listings, publishers, runs_24h, verified }: Stats): Html {
  const parts: [number, string][] = [
    [capabilities, capabilities === 1 ? 'capability' : 'capabilities'],
    [listings, listings === 1 ? 'source listing' : 'source listings'],
    [publishers, publishers === 1 ? 'publisher here' : 'publishers here'],
    [verified, 'reproduced or used here'],
    [runs_24h, runs_24h === 1 ? 'run in the last 24 hours' : 'runs in the last 24 hours'],
  ];
  return html`<p class="facts numbers">${parts.filter(([many]) => many > 0).map(([many, words]) => html`<span><b>${count(many)}</b> ${words}</span>`)}</p>`;
}

/** Shown while listings are still being linked, because results are incomplete until then. */
const linkingLine = ({ not_linked }: Stats): Html =>
  not_linked === 0
    ? html`<p id="linking" class="fine" hidden></p>`
    : html`<p id="linking" class="fine" data-island="live" data-every="5000">${count(not_linked)} ${not_linked === 1 ? 'listing is' : 'listings are'} still being linked.</p>`;

const results = (found: Listed, asked: Asked, shown: RowsShown): Html => html`${foundHead(foundText(found), asked)}
${quickFilters(asked)}
${chosenFilters(asked)}
${insteadOf(found, asked)}
${COPIES_OF in asked.filters && copiesHead(asked)}
${found.items.length === 0 ? nothing(found, asked) : capabilityLedger(found.items, shown, (id) => addressOf(asked, { [COPIES_OF]: id, offset: '' }))}
${pager(found, asked)}`;

/** The number of results, and of capabilities if results stand for copies, because filters count those. */
function foundText(found: Listed): string {
  const { total_count, with_copies = total_count } = found;
  const words = foundWords(found, ['capability', 'capabilities']);
  return with_copies > total_count ? `${words} (${count(with_copies)} with copies)` : words;
}

function copiesHead(asked: Asked): Html {
  const { [COPIES_OF]: _, ...filters } = asked.filters;
  return html`<p class="hint">Results with the same text. <a href="${addressOf({ ...asked, filters, offset: 0 })}">Back to all results</a></p>`;
}

const nothing = ({ total_count }: Found, asked: Asked): Html => html`<div class="none">
${
  total_count > 0
    ? html`<p>No results on this page. <a href="${addressOf(asked, { offset: '' })}">Go to the first page</a>.</p>`
    : asked.search !== '' || Object.keys(asked.filters).length > 0
      ? html`<p>${noResults(asked)}</p>`
      : html`<p>Capabilities appear as providers are synced. <a href="/providers">View sync status</a>.</p>`
}
</div>`;

function noResults(asked: Asked): Html {
  const all = addressOf({ ...asked, filters: {}, offset: 0 });
  if (asked.search === '') return html`Nothing passes all of these filters. <a href="${all}">Remove them</a>`;
  return html`No results. Try fewer or different words${Object.keys(asked.filters).length > 0 && html`, or <a href="${all}">search without filters</a>`}.`;
}

/** The filters that lists have, too. A search with others is a POST request, which has no address. */
const LISTED = ['listing_type', 'execution_class', 'provider', 'tag'];

/** The same list as JSON. */
function otherForms({ search: text, filters, sort, offset }: Asked): { json?: string } {
  if (Object.keys(filters).some((name) => !LISTED.includes(name))) return {};
  const { provider, ...others } = filters;
  const found = { ...others, ...(text === '' ? {} : { search: text }), ...(sort === 'relevance' ? {} : { sort }) };
  const json = new URLSearchParams({
    ...found,
    ...(provider === undefined ? {} : { source: provider }),
    limit: `${PAGE_SIZE}`,
    offset: `${offset}`,
  });
  return { json: `/api/marketplace/listings?${json}` };
}
