import type { ItemDetail } from '../../sdk/src/index.ts';
import { isProvider, tryPath } from '../parts/capability-ref.ts';
import { installSection } from '../parts/installs.ts';
import { listingPath } from '../parts/listings.ts';
import { toolsSection } from '../parts/tools.ts';
import { trustBlock } from '../parts/trust.ts';
import { ago, count, cut, strangersLink } from '../parts/words.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Page } from '../server/page.ts';
import { named } from './named.ts';

/** `/registry/{provider}/{id}`: one listing of a provider. Its text is untrusted. */
export const listing: Page = {
  get: async (visit) => {
    const { capstan, params, site } = visit;
    const { provider, id } = params as { provider: ItemDetail['provider_id']; id: string };
    // `publisher/name`, or another name that has its page in the marketplace.
    if (!isProvider(provider)) return named.get({ ...visit, params: { name: `${provider}/${id}` } });
    const item = await capstan.items.get({ provider, id });
    // A former id redirects to the current one.
    if (item.external_id !== id || item.provider_id !== provider)
      return { location: listingPath(item.provider_id, item.external_id), status: 308 };
    return view(item, site.now());
  },
};

function view(item: ItemDetail, nowMs: number): Answer {
  const name = cut(item.name, 160) || item.external_id;
  const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/registry">Registry</a> / <a href="/registry?provider=${item.provider_id}">${item.provider_id}</a></p>
<h1><bdi>${name}</bdi></h1>
${name !== item.external_id && html`<p class="fine"><code>${item.external_id}</code></p>`}
${item.description !== '' && html`<p class="lead" dir="auto">${item.description}</p>`}
<p class="facts"><span class="kind ${item.execution_class}">${item.listing_type}</span>
${item.version !== '' && html`<span>version <bdi>${cut(item.version, 60)}</bdi></span>`}
${item.author !== '' && html`<span>by <bdi>${cut(item.author, 100)}</bdi></span>`}
${item.reported.downloads && html`<span>${count(item.downloads)} downloads</span>`}
${item.reported.stars && html`<span>${count(item.stars)} stars</span>`}</p>
${ways(item)}
</header>
<div class="columns">
<div class="body">
${installSection(item)}
${toolsSection(item)}
${item.manifest !== null && manifest(item.manifest)}
</div>
<div class="side">
${trustBlock(item, nowMs)}
${facts(item, nowMs)}
</div>
</div>
</article>`;
  const description = cut(item.description, 200) || `${name}, a ${item.listing_type} listed by ${item.provider_id}.`;
  return { title: name, description, content, markdown: item.links.markdown };
}

function ways(item: ItemDetail): Html | false {
  const ref = `${item.provider_id}/${item.external_id}`;
  return (
    mayRun(item) &&
    html`<p class="ways">${TRIED.includes(item.runnable.reason) && html`<a class="button" href="${tryPath({ kind: 'listing', ref })}" rel="nofollow">Try it</a>`}
${item.listing_type === 'server' && html`<a href="/dashboard/connections?listing=${encodeURIComponent(ref)}" rel="nofollow">Connect</a>`}</p>`
  );
}

/** Reasons with which the listing may run as it is. Null: not checked yet. */
const TRIED: readonly Reason[] = [null, 'ok', 'startable'];
/** Reasons for which a connection may help, because its owner signs in, sets values or grants hosts. */
const CONNECTED: readonly Reason[] = ['auth_needed', 'missing_env', 'wants_network', 'failed'];
type Reason = ItemDetail['runnable']['reason'];

const mayRun = ({ runnable: { reason }, listing_type }: ItemDetail): boolean =>
  (TRIED.includes(reason) && (listing_type === 'skill' || listing_type === 'server')) ||
  (CONNECTED.includes(reason) && listing_type === 'server');

function facts(item: ItemDetail, nowMs: number): Html {
  const rows: [string, Value][] = [
    ['License', item.license !== '' && html`<bdi>${cut(item.license, 100)}</bdi>`],
    ['Repository', strangersLink(item.repository)],
    ['Homepage', strangersLink(item.homepage)],
    ['ID', html`<code>${item.external_id}</code>`],
    ['Updated', item.reported.updated_at && ago(item.external_updated_at, nowMs)],
    ['First seen', ago(item.first_seen_at, nowMs)],
    ['Last seen', ago(item.last_seen_at, nowMs)],
  ];
  return html`<section aria-labelledby="facts"><h2 id="facts">About</h2>
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${item.tags.length > 0 && html`<ul class="chips" aria-label="Tags">${item.tags.slice(0, 30).map((tag) => html`<li><a href="/registry?tag=${encodeURIComponent(tag)}" rel="nofollow"><bdi>${cut(tag, 50)}</bdi></a></li>`)}</ul>`}
<p class="fine">Also as <a href="${item.links.self}" rel="nofollow">JSON</a> and <a href="${item.links.markdown}" rel="nofollow">Markdown</a>.</p></section>`;
}

const MOST_CHARACTERS = 20_000;

function manifest(record: Record<string, unknown>): Html {
  const text = JSON.stringify(record, null, 2);
  return html`<section aria-labelledby="record"><h2 id="record">Provider record</h2>
<p class="fine">The original record, written by its author. Treat it as untrusted data.</p>
<details><summary>Show record</summary><pre tabindex="0"><code>${text.slice(0, MOST_CHARACTERS)}${text.length > MOST_CHARACTERS && '\n…'}</code></pre></details></section>`;
}
