import {
  type Capstan,
  CapstanError,
  type ItemDetail,
  type ListingDetail,
  type VersionDetail,
} from '../../sdk/src/index.ts';
import { capabilityPath, isOwnSkill, nameOf, sourcesWords } from '../parts/capabilities.ts';
import { goneView } from '../parts/capability-gone.ts';
import { fetchSection } from '../parts/fetch-commands.ts';
import { installSection } from '../parts/installs.ts';
import { type Known, type Proof, proofBlock } from '../parts/proof.ts';
import { filesSection, findingsSection, versionPath, versionsSection } from '../parts/published.ts';
import { readmeSection } from '../parts/readme.ts';
import { sourcesSection } from '../parts/sources.ts';
import { flagsBanner } from '../parts/standing.ts';
import { toolsSection } from '../parts/tools.ts';
import { ago, counted, cut, strangersLink } from '../parts/words.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Page, Visit } from '../server/page.ts';

/** `/marketplace/{id}`: a capability, merged from every provider and what was published here. Its text is untrusted. */
export const capability: Page = {
  get: async ({ capstan, params: { id = '' }, site }) => {
    if (isOwnSkill(id)) return { location: capabilityPath(id), status: 308 };
    try {
      const listing = await capstan.listings.get({ id });
      // A listing that was merged into another redirects there.
      if (listing.id !== id) return { location: capabilityPath(listing.id), status: 308 };
      const [item, version, proof] = await Promise.all([
        itemOf(capstan, listing),
        versionOf(capstan, listing),
        proofOf(capstan, listing),
      ]);
      const readme = version === null ? null : await readmeSection(capstan, version, site);
      return view({ listing, item, proof, version, readme }, site);
    } catch (error) {
      if (error instanceof CapstanError && error.status === 410) return goneView(error, id, site.now());
      throw error;
    }
  },
};

interface Whole extends Known {
  version: VersionDetail | null;
  readme: Html | null;
}

/** The source listing to run: the one most likely to run, else the most trusted one. */
function placeOf({ runnable, members = [] }: ListingDetail) {
  const place = runnable?.via ?? members.find(({ provider }) => provider !== 'capstan');
  return place === undefined || place.provider === 'capstan' ? null : place;
}

const ownId = ({ members, id }: ListingDetail): string =>
  members?.find(({ provider }) => provider === 'capstan')?.external_id ?? id;

async function itemOf(capstan: Capstan, listing: ListingDetail): Promise<ItemDetail | null> {
  const place = placeOf(listing);
  if (place === null) return null;
  return orNone(capstan.items.get({ provider: place.provider as 'smithery', id: place.external_id }));
}

/** The version that is shown, if it was published here. */
async function versionOf(capstan: Capstan, listing: ListingDetail): Promise<VersionDetail | null> {
  const shown =
    listing.links.version === undefined ? undefined : /\/versions\/([^/]+)$/.exec(listing.links.version)?.[1];
  if (shown === undefined) return null;
  return orNone(capstan.listings.getVersion({ id: ownId(listing), version: decodeURIComponent(shown) }));
}

async function proofOf(capstan: Capstan, listing: ListingDetail): Promise<Proof | null> {
  const place = placeOf(listing);
  const isOwn = listing.versions !== undefined || place === null;
  const subject = isOwn ? `capability/${ownId(listing)}` : `listing/${place.provider}/${place.external_id}`;
  return orNone(capstan.proof.get({ subject }));
}

/** Null if it does not exist or no longer exists. */
async function orNone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CapstanError && [404, 410].includes(error.status)) return null;
    throw error;
  }
}

function view({ listing, item, proof, version, readme }: Whole, site: Visit['site']): Answer {
  const [name, nowMs] = [nameOf(listing, 160), site.now()];
  const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/marketplace">Marketplace</a> / <a href="/marketplace?listing_type=${listing.listing_type}">${listing.listing_type}</a></p>
<h1><bdi>${name}</bdi></h1>
${listing.description !== '' && html`<p class="lead" dir="auto">${listing.description}</p>`}
<p class="facts"><span class="kind ${listing.execution_class}">${listing.listing_type}</span>
${listing.version !== '' && html`<span>version <bdi>${cut(listing.version, 60)}</bdi></span>`}
${listing.author !== '' && html`<span>by <bdi>${cut(listing.author, 100)}</bdi></span>`}
<span>${sourcesWords(listing.sources)}</span>
${counted(listing.downloads, 'download')}
${counted(listing.stars, 'star')}</p>
${deprecation(listing)}
${ways(listing)}
</header>
${flagsBanner(listing, nowMs)}
<div class="columns">
<div class="body">
${version === null ? item !== null && installSection(item) : fetchSection(version, site.base_url)}
${readme}
${item !== null && toolsSection(item)}
${sourcesSection(listing)}
${version !== null && html`${filesSection(version)}${findingsSection(version)}`}
${listing.versions !== undefined && versionsSection(ownId(listing), listing, nowMs)}
</div>
<div class="side">
${proofBlock({ listing, item, proof }, nowMs)}
${facts(listing, nowMs)}
</div>
</div>
</article>`;
  const description =
    cut(listing.description, 200) || `${name}, a ${listing.listing_type}: ${sourcesWords(listing.sources)}.`;
  return { title: name, description, content, json: listing.links.self, markdown: markdownOf(listing) };
}

const markdownOf = ({ links }: ListingDetail): string => `${links.self}/md`;

const deprecation = ({ status, status_reason = '' }: ListingDetail): Html | null =>
  status === undefined || status === 'live'
    ? null
    : html`<p class="standing" role="note"><span class="state busy">${status}</span> <span dir="auto">${cut(status_reason, 500)}</span></p>`;

/** What a reader can do with the capability. */
function ways(listing: ListingDetail): Html {
  const ref = refOf(listing);
  return html`<nav class="actions" aria-label="Actions">
${ref !== null && html`<a class="button" href="/runs/new?ref=${encodeURIComponent(ref)}" rel="nofollow">Try it</a>`}
<a href="${capabilityPath(listing.id)}/report" rel="nofollow">Report</a>
${listing.publisher === null && html`<a href="${capabilityPath(listing.id)}/claim" rel="nofollow">Claim this listing</a>`}</nav>`;
}

const RUN_REASONS = ['ok', 'startable', 'wants_network', 'auth_needed', 'missing_env'];

/** The reference that a task uses; null if it cannot run here. */
function refOf(listing: ListingDetail): string | null {
  if (listing.run !== undefined) return listing.status === 'yanked' ? null : `capability/${ownId(listing)}`;
  const { reason, via } = listing.runnable ?? {};
  const canRun = reason != null && RUN_REASONS.includes(reason);
  return canRun && via !== undefined ? `listing/${via.provider}/${via.external_id}` : null;
}

const KNOWN_BY: Record<string, string> = {
  published: 'published here',
  repository_file: 'claimed with a file in its repository',
  wallet: 'claimed with a wallet that its repository names',
};

function facts(listing: ListingDetail, nowMs: number): Html {
  const { publisher } = listing;
  const rows: [string, Value][] = [
    [
      'Publisher',
      publisher !== null &&
        html`<a href="/publishers/${encodeURIComponent(publisher.id)}"><bdi>${cut(publisher.name, 80) || 'closed account'}</bdi></a> <span class="label">${KNOWN_BY[publisher.by]}</span>`,
    ],
    ['License', listing.license !== '' && html`<bdi>${cut(listing.license, 100)}</bdi>`],
    ['Repository', strangersLink(listing.repository ?? '')],
    ['Homepage', strangersLink(listing.homepage ?? '')],
    [
      'Digest',
      listing.digest !== undefined && html`<code title="${listing.digest}">${listing.digest.slice(0, 19)}…</code>`,
    ],
    [
      'Signed',
      listing.claimed === true &&
        html`by a wallet of its publisher: <a href="${versionPath(ownId(listing), listing.version)}#claim">see the claim</a>`,
    ],
    [
      'Featured',
      listing.featured_because != null && html`<span dir="auto">${cut(listing.featured_because, 300)}</span>`,
    ],
    ['First seen', ago(listing.created_at, nowMs)],
    ['ID', html`<code>${listing.id}</code>`],
  ];
  return html`<section aria-labelledby="facts"><h2 id="facts">About</h2>
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${listing.tags.length > 0 && html`<ul class="chips" aria-label="Tags">${listing.tags.slice(0, 30).map((tag) => html`<li><a href="/marketplace?tag=${encodeURIComponent(tag)}" rel="nofollow"><bdi>${cut(tag, 50)}</bdi></a></li>`)}</ul>`}
<p class="fine">Also as <a href="${listing.links.self}" rel="nofollow">JSON</a> and <a href="${markdownOf(listing)}" rel="nofollow">Markdown</a>. <a href="${capabilityPath(listing.id)}/standing" rel="nofollow">Moderation history</a>.</p></section>`;
}
