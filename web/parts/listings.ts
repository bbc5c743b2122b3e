import type { Item } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { flag } from './flag.ts';
import { icon, kindTag, providerTile } from './icon.ts';
import { ago, count, counted, cut } from './words.ts';

/** A list of listings. Their text is untrusted: escaped and isolated from the surrounding text direction. */

/** Slashes stay plain where that is safe. Clients resolve empty, `.` and `..` segments before they send a path. */
export function listingPath(provider_id: string, external_id: string): string {
  const parts = external_id.split('/');
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const id = safe ? parts.map(encodeURIComponent).join('/') : encodeURIComponent(external_id);
  return `/registry/${provider_id}/${id}`;
}

export const ledger = (items: readonly Item[], now_ms: number): Html =>
  html`<ol class="ledger listings">${items.map((item) => line(item, now_ms))}</ol>`;

const line = (item: Item, nowMs: number): Html => html`<li>
${flag(item.external_id)}
<div class="what">
<div class="named"><h3><a href="${listingPath(item.provider_id, item.external_id)}"><bdi>${cut(item.name, 120) || item.external_id}</bdi></a></h3>${kindTag(item.listing_type)}</div>
${item.description !== '' && html`<p class="about" dir="auto">${cut(item.description)}</p>`}
<p class="facts"><span>${providerTile(item.provider_id)}${item.provider_id}</span>
${item.name !== '' && item.name !== item.external_id && html`<code>${cut(item.external_id, 120)}</code>`}
${item.author !== '' && html`<span>by <bdi>${cut(item.author, 60)}</bdi></span>`}
${counted(item.stars, 'star')}
${item.external_updated_at !== null && html`<span>updated ${ago(item.external_updated_at, nowMs)}</span>`}
${item.copies !== undefined && html`<span>and ${count(item.copies)} ${item.copies === 1 ? 'copy' : 'copies'} of its text</span>`}</p>
</div>
${
  (item.flagged === true || item.downloads > 0) &&
  html`<p class="facts aside">${item.flagged === true && html`<span class="tag bad">${icon('circle-alert')}flagged</span>`}
${item.downloads > 0 && html`<span class="got">${icon('download')}${counted(item.downloads, 'download')}</span>`}</p>`
}
</li>`;
