import { type Html, html } from '../../../platform/http/html.ts';
import { visible } from '../../../platform/markdown/escape.ts';
import { shortNumber } from '../../../platform/short-number.ts';
import { webAddress } from '../../../platform/web-address.ts';
import type { Item } from '../../registry/item.ts';
import { itemPath } from '../../registry/item-path.ts';
import type { PageQuery } from '../contract.ts';

/** Listings as cards. Their text is strangers': escaped, and isolated from the direction of what is around it. */

export interface PageResults {
  items: Item[];
  total_count: number;
  limit: number;
  offset: number;
  is_search: boolean;
}

export function resultsSection(found: PageResults, query: PageQuery): Html {
  const { items, total_count, is_search } = found;
  return html`<section class="results" aria-labelledby="results">
<h2 id="results">${is_search ? heading(found) : total_count === 0 ? 'The catalogue is empty' : 'Most downloaded'}</h2>
${items.length === 0 ? nothing(total_count, query) : html`<ol class="cards">${items.map(card)}</ol>`}
${is_search ? pages(found, query) : null}
</section>`;
}

function heading({ total_count, offset, items }: PageResults): string {
  const total = total_count.toLocaleString('en');
  if (total_count === 0) return 'Nothing found';
  if (items.length === total_count) return `${total} found`;
  return `${(offset + 1).toLocaleString('en')} to ${(offset + items.length).toLocaleString('en')} of ${total} found`;
}

const nothing = (total_count: number, { search }: PageQuery): Html =>
  total_count > 0
    ? html`<p>There are no more results. <a href="/">Start again</a>.</p>`
    : search
      ? html`<p>Every term must occur in the name, the description or the author. Try fewer or shorter terms, or other filters.</p>`
      : html`<p>Listings appear here as the providers are synced; the table shows how far each is.</p>
<p>Or bring some in from a file: <code>npm run capstand -- import listings.jsonl</code></p>`;

function card(item: Item): Html {
  const at = itemPath(item.provider_id, item.external_id);
  const homepage = webAddress(item.homepage);
  const name = shorten(item.name, 120);
  return html`<li class="card">
<h3><bdi>${name}</bdi></h3>
${item.description === '' ? null : html`<p class="about" dir="auto">${shorten(item.description)}</p>`}
<p class="facts"><span class="tag ${item.execution_class}">${item.listing_type} · ${item.execution_class}</span>
<span>${item.provider_id}</span>
${item.author === '' ? null : html`<span>by <bdi>${shorten(item.author, 60)}</bdi></span>`}
${counted(item.downloads, 'download')}
${counted(item.stars, 'star')}</p>
<p class="links"><a href="${at}/md" rel="nofollow ugc noopener" aria-label="${name}, details in Markdown">Details</a>
<a href="${at}" rel="nofollow ugc noopener" aria-label="${name}, details in JSON">JSON</a>
${homepage === null ? null : html`<a href="${homepage}" rel="nofollow ugc noopener" aria-label="${name}, homepage">Homepage</a>`}</p>
</li>`;
}

function shorten(text: string, most = 220): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most)
        .toWellFormed()
        .replace(/\s+\S*$/, '')}…`;
}

const counted = (count: number, what: string): Html | null =>
  count === 0 ? null : html`<span>${shortNumber(count)} ${what}${count === 1 ? '' : 's'}</span>`;

function pages({ total_count, limit, offset }: PageResults, query: PageQuery): Html | null {
  const link = (to: number, rel: string, text: string): Html =>
    html`<a href="${address(query, to)}" rel="${rel}">${text}</a>`;
  const before = offset > 0 ? link(Math.max(0, offset - limit), 'prev', '← Previous') : null;
  const after = offset + limit < total_count ? link(offset + limit, 'next', 'Next →') : null;
  return before === null && after === null
    ? null
    : html`<nav class="pages" aria-label="Pages">${before} ${after}</nav>`;
}

function address(query: PageQuery, offset: number): string {
  const pairs = Object.entries({ ...query, offset }).filter(
    ([, value]) => value !== '' && value !== undefined && value !== 0,
  );
  return `/?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
