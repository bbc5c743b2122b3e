import type { ListingDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { Answer, Visit } from '../server/page.ts';
import { capabilityPath } from './capabilities.ts';
import { flag } from './flag.ts';
import { icon, kindIcon, providerName } from './icon.ts';
import { installMenu } from './installs.ts';
import { baseOf, type Known, publisherOf, titleOf } from './known.ts';
import { listingPicture, pictureOf } from './listing-picture.ts';
import { aboutCard, elsewhereCard, sourcesCard, trustCard, trustSummary } from './listing-side.ts';
import { actionOf, connectFields, hasInstall, runStateOf } from './run-ability.ts';
import { softwareData } from './software-data.ts';
import { flagsBanner } from './standing.ts';
import { runStateMark } from './state.ts';
import { currentTab, type Tab, tabBar } from './tabs.ts';
import { ago, cut } from './words.ts';

/** The page of anything that is listed: who made it, what it does, whether it runs, and the one thing to do next. */

export interface ListingTab extends Tab {
  content(): Value | Promise<Value>;
}

interface Page {
  known: Known;
  tabs: readonly ListingTab[];
  json: string;
  markdown: string;
  /** The result of a form of the page. */
  said?: Value;
  /** A card above trust. */
  first?: Value;
  /** Cards between trust and facts. */
  side?: Value;
}

export async function listingView(
  { query, site }: Pick<Visit, 'query' | 'site'>,
  { known, tabs, json, markdown, said, first, side }: Page,
): Promise<Answer> {
  if (query.has('picture')) return listingPicture(known, site);
  const nowMs = site.now();
  const current = currentTab(tabs, query);
  const { title } = titleOf(known);
  const { description, listing_type } = baseOf(known);
  const content = html`<article class="detail">
${crumbs(known, title)}
${said}
${head(known, nowMs)}
${known.listing !== null && flagsBanner(known.listing, nowMs)}
${trustSummary(known, nowMs)}
${tabBar(known.path, tabs, current)}
<div class="listing-columns"><div class="panel">${await current.content()}</div>
<aside class="side" aria-label="Trust and facts">${first}${trustCard(known, nowMs)}
${sourcesCard(known)}
${side}
${aboutCard(known, nowMs)}
${elsewhereCard(linksOf(known, json, markdown))}</aside></div>
</article>`;
  const name = cut(title, 120);
  const isFirst = current === tabs[0];
  return {
    title: isFirst ? name : `${current.label} of ${name}`,
    description: cut(description, 200) || `${name}, a ${listing_type}.`,
    content,
    data: softwareData(known, site.base_url),
    picture: pictureOf(known, site),
    json,
    markdown,
    // The other tabs repeat the title and the sentence.
    unlisted: !isFirst,
  };
}

const PLURALS: Record<string, string> = { server: 'Servers', skill: 'Skills', harness: 'Harnesses', rig: 'Rigs' };
const KINDS: Record<string, string> = { server: 'Server', skill: 'Skill', harness: 'Harness', rig: 'Rig' };

function crumbs(known: Known, title: string): Html {
  const { listing_type } = baseOf(known);
  const isOwnSkill = known.skill !== null;
  const list = isOwnSkill
    ? '/marketplace?provider=capstan&listing_type=skill'
    : `/marketplace?listing_type=${listing_type}`;
  const provider = known.listing === null ? known.item?.provider_id : undefined;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/marketplace">Browse</a>${icon('chevron-right')}<a href="${list}">${PLURALS[listing_type] ?? listing_type}</a>${icon('chevron-right')}${provider !== undefined && html`<a href="/marketplace?provider=${provider}">${providerName(provider)}</a>${icon('chevron-right')}`}<span><bdi>${cut(title, 60)}</bdi></span></nav>`;
}

function head(known: Known, nowMs: number): Html {
  const { title, technical } = titleOf(known);
  const { id, description } = baseOf(known);
  const publisher = publisherOf(known);
  const confirmed = publisher?.confirmed == null ? null : `Confirmed publisher: ${publisher.name}`;
  return html`<header class="title">${listingIcon(known.item?.icon ?? null, id)}<div>
<h1><bdi>${cut(title, 160)}</bdi>${confirmed !== null && html` <span class="confirmed" title="${confirmed}">${icon('badge-check')}<span class="hidden">${confirmed}</span></span>`}</h1>
${technical !== '' && html`<p class="technical"><code><bdi>${cut(technical, 200)}</bdi></code></p>`}
${description !== '' && html`<p class="lead" dir="auto">${cut(description, 400)}</p>`}
${facts(known, nowMs)}
${deprecation(known.listing)}</div>
${actions(known)}</header>`;
}

/** Its own, where one is stored here. It is decoration beside the name. */
const listingIcon = (path: string | null, id: string): Html =>
  path === null ? flag(id, 'xl') : html`<img class="flag xl" src="${path}" width="72" height="72" alt="">`;

function facts(known: Known, nowMs: number): Html {
  const base = baseOf(known);
  const publisher = publisherOf(known);
  const state = runStateOf(known);
  const updated = known.version?.created_at ?? lastUpdate(known);
  const from = packageWords(known);
  return html`<p class="facts">${publisher !== null && html`<span>by ${publisher.href === null ? html`<bdi>${cut(publisher.name, 80)}</bdi>` : html`<a href="${publisher.href}"><bdi>${cut(publisher.name, 80)}</bdi></a>`}</span>`}
<span class="tag kind">${kindIcon(base.listing_type)}${KINDS[base.listing_type] ?? base.listing_type}</span>
${base.version !== '' && html`<span class="num"><bdi>${cut(base.version, 40)}</bdi></span>`}
${base.license !== '' && html`<span>${icon('scale')}<bdi>${cut(base.license, 40)}</bdi></span>`}
${from !== '' && html`<span>${icon('package')}${from}</span>`}
${base.execution_class === 'scripted' && html`<span>${icon('terminal')}Script</span>`}
${updated !== null && html`<span>Updated ${ago(updated, nowMs)}</span>`}
${state !== null && runStateMark(state)}</p>`;
}

/** As providers report it; null if none does. */
function lastUpdate({ item, listing }: Known): string | null {
  if (item?.reported.updated_at === true && listing === null) return item.external_updated_at;
  const times = (listing?.sources ?? []).flatMap(({ provider, updated_at }) =>
    provider === 'capstan' || updated_at === null ? [] : [updated_at],
  );
  return times.toSorted().at(-1) ?? null;
}

const PACKAGES: Record<string, string> = {
  npm: 'npm package',
  pypi: 'PyPI package',
  oci: 'Container image',
  nuget: 'NuGet package',
  mcpb: 'MCP bundle',
};

/** How the server is run, in the order in which a connection chooses. */
function packageWords({ item }: Known): string {
  const [first] = item?.servers ?? [];
  if (first === undefined) return '';
  return first.package === null ? 'Remote server' : (PACKAGES[first.title.split(' ', 1)[0] ?? ''] ?? 'Package');
}

function deprecation(listing: ListingDetail | null): Html | null {
  const { status, status_reason = '' } = listing ?? {};
  if (status === undefined || status === 'live') return null;
  return html`<p class="standing" role="note"><strong>${WITHDRAWN[status] ?? status}</strong> <span dir="auto">${cut(status_reason, 500)}</span></p>`;
}

const WITHDRAWN: Record<string, string> = {
  deprecated: 'Deprecated.',
  yanked: 'Yanked: only clients that pin its digest get it.',
  unpublished: 'Unpublished.',
};

function actions(known: Known): Html {
  const action = actionOf(known);
  const isInstall = action.words === 'Add to a client';
  const fields = action.words === 'Connect' ? connectFields(known) : null;
  const label = html`${icon(action.shape)}${action.words}`;
  return html`<div class="acts">${
    fields === null
      ? html`<a class="button" href="${action.href}" rel="nofollow"${action.words === 'Connect' && html` data-island="sheet"`}>${label}</a>`
      : html`<form method="post" action="${action.href}">${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit" class="button">${label}</button></form>`
  }
${!isInstall && hasInstall(known) && installMenu(known)}</div>`;
}

function linksOf(known: Known, json: string, markdown: string): [words: string, href: string][] {
  const { listing, skill } = known;
  const formats: [string, string][] = [
    ['JSON', json],
    ['Markdown', markdown],
  ];
  if (listing === null || skill !== null) return formats;
  const path = capabilityPath(listing.id);
  return [
    ...formats,
    ['Report a problem', `${path}/report`],
    ...(listing.publisher === null ? [['Claim this listing', `${path}/claim`] as [string, string]] : []),
    ['Moderation history', `${path}/standing`],
  ];
}
