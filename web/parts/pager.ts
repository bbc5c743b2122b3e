import { type Html, html } from '../server/html.ts';
import { type Asked, addressOf } from './asked.ts';
import { count } from './words.ts';

/** The header and footer of a page of a list: total, sort order and links to other pages. */

export interface Found {
  items: readonly unknown[];
  total_count: number;
  limit: number;
  offset: number;
}

/** `26 to 50 of 60`; with few, `3 listings`. */
export function foundWords({ total_count, offset, items }: Found, [one, many]: readonly [string, string]): string {
  if (total_count === 0) return 'Nothing found';
  if (items.length === total_count) return `${count(total_count)} ${total_count === 1 ? one : many}`;
  if (items.length === 0) return `${count(total_count)} ${many}`;
  return `${count(offset + 1)} to ${count(offset + items.length)} of ${count(total_count)}`;
}

export const foundHead = (words: string, asked: Asked): Html => html`<div class="found">
<h2 id="found">${words}</h2>
<form class="sorts" action="${asked.place.path}" data-island="sort">
${keptBy(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="sort">Sort</label>
<select id="sort" name="sort">${Object.entries(asked.place.sorts).map(
  ([sort, label]) => html`<option value="${sort}"${asked.sort === sort && html` selected`}>${label}</option>`,
)}</select>
<button type="submit" class="button plain small unscripted">Apply</button>
</form>
</div>`;

/** What a change of the order keeps of the address. */
const keptBy = ({ search, filters, as_typed }: Asked): [name: string, value: string][] =>
  Object.entries(filters)
    .concat([
      ['search', search],
      ['as_typed', as_typed ? '1' : ''],
    ])
    .filter(([, value]) => value !== '');

export function pager({ total_count, offset, limit }: Found, asked: Asked): Html | null {
  const last = Math.floor((total_count - 1) / limit) * limit;
  const before = Math.max(0, Math.min(offset - limit, last));
  const isFirst = offset === 0;
  const isLast = offset + limit >= total_count;
  if (isFirst && isLast) return null;
  return html`<nav class="pages" aria-label="Pages">
${isFirst ? html`<span></span>` : html`<a rel="prev" href="${addressOf(asked, { offset: before > 0 ? `${before}` : '' })}">← Previous</a>`}
${!isLast && html`<a rel="next" href="${addressOf(asked, { offset: `${offset + limit}` })}">Next →</a>`}
</nav>`;
}
