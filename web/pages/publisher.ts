import type { Operations } from '../../sdk/src/index.ts';
import { capabilityPath, sourcesWords } from '../parts/capabilities.ts';
import { flag } from '../parts/flag.ts';
import { kindTag } from '../parts/icon.ts';
import { plainState } from '../parts/state.ts';
import { ago, count, cut, strangersLink } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/publishers/{id}`: a publisher, what it publishes and what it has claimed. */

type Publisher = Operations['publishers']['get']['answer'];

export const publisher: Page = {
  get: async ({ capstan, params: { id = '' }, site }) => {
    const publisher = await capstan.publishers.get({ id });
    // The name leads to the page at the id, which stays the same.
    if (publisher.id !== id) return { location: `/publishers/${encodeURIComponent(publisher.id)}`, status: 308 };
    const nowMs = site.now();
    const name = cut(publisher.name, 80);
    const isClosed = publisher.closed_at !== null;
    const title = isClosed ? 'Closed account' : name;
    const content = html`<header class="head">
<p class="label"><a href="/marketplace">Browse</a> / publisher</p>
<h1><bdi>${title}</bdi></h1>
${isClosed && html`<p class="lead">The account was deleted ${ago(publisher.closed_at, nowMs)}. Its names stay reserved. Only the version numbers and digests of what it published remain.</p>`}
<p class="facts numbers"><span>since ${ago(publisher.first_seen_at, nowMs)}</span>${totals(publisher)}</p>
</header>
<div class="body">
<section aria-labelledby="listings"><h2 id="listings">Published here</h2>
${publisher.listings.length === 0 ? html`<p class="none">Nothing published yet.</p>` : html`<ol class="ledger listings">${publisher.listings.map((one) => published(one, nowMs))}</ol>`}</section>
${
  publisher.claims.length > 0 &&
  html`<section aria-labelledby="claims"><h2 id="claims">Claimed</h2><p class="fine">Listed by providers, and claimed by this publisher with a file in the repository.</p>
<ol class="ledger listings">${publisher.claims.map((one) => claimed(one, nowMs))}</ol></section>`
}
</div>`;
    const description = isClosed
      ? 'A publisher whose account was deleted.'
      : `Listings that ${name} published or claimed.`;
    return {
      title,
      description,
      content,
      json: `/api/marketplace/publishers/${encodeURIComponent(publisher.id)}`,
      unlisted: isClosed,
    };
  },
};

const totals = ({ totals }: Publisher): Html[] =>
  (
    [
      [totals.listings, 'listed now'],
      [totals.versions, totals.versions === 1 ? 'version' : 'versions'],
      [totals.claims, 'claimed'],
    ] as const
  )
    .filter(([many]) => many > 0)
    .map(([many, words]) => html`<span><b>${count(many)}</b> ${words}</span>`);

const published = (listing: Publisher['listings'][number], nowMs: number): Html => html`<li>
${flag(listing.id)}
<div class="what"><div class="named"><h3><a href="${capabilityPath(listing.id)}"><bdi>${cut(listing.name, 120)}</bdi></a></h3>${kindTag(listing.listing_type)}</div>
<p class="facts">${listing.latest !== null && html`<span>version ${listing.latest}</span>`}
${listing.status === 'unpublished' && plainState('bad', 'unpublished')}${listing.taken_down && plainState('bad', 'taken down')}
<span>changed ${ago(listing.updated_at, nowMs)}</span></p></div></li>`;

const claimed = (claim: Publisher['claims'][number], nowMs: number): Html => html`<li>
${flag(claim.id)}
<div class="what"><div class="named"><h3><a href="${capabilityPath(claim.id)}"><bdi>${cut(claim.name, 120) || claim.id}</bdi></a></h3>${claim.listing_type !== null && kindTag(claim.listing_type)}</div>
<p class="facts"><span>${sourcesWords(claim.sources)}</span>
<span>with ${claim.method === 'wallet' ? 'a wallet' : 'a file in its repository'}, checked ${ago(claim.checked_at, nowMs)}</span></p>
<p class="fine proof">${strangersLink(claim.proof)}</p></div></li>`;
