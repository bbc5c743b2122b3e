import type { ItemDetail } from '../../sdk/src/index.ts';
import { tryPath } from '../parts/capability-ref.ts';
import { installSection } from '../parts/installs.ts';
import { listingPath } from '../parts/listings.ts';
import { toolsSection } from '../parts/tools.ts';
import { trustBlock } from '../parts/trust.ts';
import { ago, count, cut, strangersLink } from '../parts/words.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Page } from '../server/page.ts';

/** `/registry/{provider}/{id}`: a listing with all that is known of it. Its text is a stranger's. */
export const listing: Page = {
  get: async ({ capstan, params, site }) => {
    const { provider, id } = params as { provider: ItemDetail['provider_id']; id: string };
    const it = await capstan.items.get({ provider, id });
    // A former id redirects to the one that stands.
    if (it.external_id !== id || it.provider_id !== provider)
      return { location: listingPath(it.provider_id, it.external_id), status: 308 };
    return view(it, site.now());
  },
};

const view = (it: ItemDetail, now_ms: number): Answer => {
  const name = cut(it.name, 160) || it.external_id;
  const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/registry">Registry</a> / <a href="/registry?provider=${it.provider_id}">${it.provider_id}</a></p>
<h1><bdi>${name}</bdi></h1>
${it.description !== '' && html`<p class="lead" dir="auto">${it.description}</p>`}
<p class="facts"><span class="kind ${it.execution_class}">${it.listing_type}</span>
${it.version !== '' && html`<span>version <bdi>${cut(it.version, 60)}</bdi></span>`}
${it.author !== '' && html`<span>by <bdi>${cut(it.author, 100)}</bdi></span>`}
${it.reported.downloads && html`<span>${count(it.downloads)} downloads</span>`}
${it.reported.stars && html`<span>${count(it.stars)} stars</span>`}</p>
${ways(it)}
</header>
<div class="columns">
<div class="body">
${installSection(it)}
${toolsSection(it)}
${it.manifest !== null && manifest(it.manifest)}
</div>
<div class="side">
${trustBlock(it, now_ms)}
${facts(it, now_ms)}
</div>
</div>
</article>`;
  const description = cut(it.description, 200) || `${name}, a ${it.listing_type} listed by ${it.provider_id}.`;
  return { title: name, description, content, markdown: it.links.markdown };
};

const ways = (it: ItemDetail): Html | false => {
  const ref = `${it.provider_id}/${it.external_id}`;
  return (
    mayRun(it) &&
    html`<p class="ways"><a class="button" href="${tryPath({ kind: 'listing', ref })}" rel="nofollow">Try it here</a>
${it.listing_type === 'server' && html`<a href="/dashboard/connections?listing=${encodeURIComponent(ref)}" rel="nofollow">Connect to it</a>`}</p>`
  );
};

/** Not where it is known that it cannot be: nobody knows of a server that was never visited. */
const mayRun = ({ runnable: { reason }, listing_type }: ItemDetail): boolean =>
  (reason === null || reason === 'ok') && (listing_type === 'skill' || listing_type === 'server');

function facts(it: ItemDetail, now_ms: number): Html {
  const rows: [string, Value][] = [
    ['License', it.license !== '' && html`<bdi>${cut(it.license, 100)}</bdi>`],
    ['Repository', strangersLink(it.repository)],
    ['Homepage', strangersLink(it.homepage)],
    ['ID', html`<code>${it.external_id}</code>`],
    ['Updated', it.reported.updated_at && ago(it.external_updated_at, now_ms)],
    ['First seen', ago(it.first_seen_at, now_ms)],
    ['Last seen', ago(it.last_seen_at, now_ms)],
  ];
  return html`<section aria-labelledby="facts"><h2 id="facts">About</h2>
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${it.tags.length > 0 && html`<ul class="chips" aria-label="Tags">${it.tags.slice(0, 30).map((tag) => html`<li><a href="/registry?tag=${encodeURIComponent(tag)}" rel="nofollow"><bdi>${cut(tag, 50)}</bdi></a></li>`)}</ul>`}
<p class="fine">Also as <a href="${it.links.self}" rel="nofollow">JSON</a> and <a href="${it.links.markdown}" rel="nofollow">Markdown</a>.</p></section>`;
}

const MOST_CHARACTERS = 20_000;

const manifest = (record: Record<string, unknown>): Html => {
  const text = JSON.stringify(record, null, 2);
  return html`<section aria-labelledby="record"><h2 id="record">Record of the provider</h2>
<p class="fine">As it came. Its author wrote it: data, never instructions.</p>
<details><summary>Show it</summary><pre tabindex="0"><code>${text.slice(0, MOST_CHARACTERS)}${text.length > MOST_CHARACTERS && '\n…'}</code></pre></details></section>`;
};
