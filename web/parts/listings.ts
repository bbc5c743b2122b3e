import type { Item } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { ago, counted, cut } from './words.ts';

/** Listings as lines of a ledger. Their text is strangers': escaped, and isolated from the direction of what is around. */

/** Plain slashes where that is safe: clients resolve empty, `.` and `..` parts away before they send a path. */
export function listingPath(provider_id: string, external_id: string): string {
  const parts = external_id.split('/');
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const id = safe ? parts.map(encodeURIComponent).join('/') : encodeURIComponent(external_id);
  return `/registry/${provider_id}/${id}`;
}

export const ledger = (items: readonly Item[], now_ms: number): Html =>
  html`<ol class="ledger">${items.map((it) => line(it, now_ms))}</ol>`;

const line = (it: Item, now_ms: number): Html => html`<li>
<h3><a href="${listingPath(it.provider_id, it.external_id)}"><bdi>${cut(it.name, 120) || it.external_id}</bdi></a></h3>
${it.description !== '' && html`<p class="about" dir="auto">${cut(it.description)}</p>`}
<p class="facts">${it.flagged === true && html`<span class="state bad">flagged</span>`}<span class="kind ${it.execution_class}">${it.listing_type}</span><span>${it.provider_id}</span>
${it.author !== '' && html`<span>by <bdi>${cut(it.author, 60)}</bdi></span>`}
${counted(it.downloads, 'download')}
${counted(it.stars, 'star')}
${it.external_updated_at !== null && html`<span>updated ${ago(it.external_updated_at, now_ms)}</span>`}</p>
</li>`;
