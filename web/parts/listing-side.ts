import { type Html, html, type Value } from '../server/html.ts';
import { icon, providerName, providerTile } from './icon.ts';
import { baseOf, type Known } from './known.ts';
import { levelMeans, levelRope } from './levels.ts';
import { listingPath } from './listings.ts';
import { mayProbe } from './run-ability.ts';
import { trustLines, trustList } from './trust-lines.ts';
import { ago, count, counted, cut, strangersLink } from './words.ts';

/** The right column of a listing's page: trust, sources, and facts about it. */

export function trustCard(known: Known, nowMs: number): Html {
  const { verification } = baseOf(known);
  const lines = trustLines(known, nowMs);
  return html`<section class="card" aria-labelledby="trust"><h2 id="trust">Can I trust it?${verification !== null && html` <span class="label">${standing(known, verification.level)}</span>`}</h2>
${trustList(lines)}
${mayProbe(known) && probeForm(known, nowMs)}
<p class="fine">${verification !== null && levelMeans(verification.level)} No level says that the answers are right.</p></section>`;
}

/** A warning of an operator stands in the place of the level, which would speak for the listing. */
const standing = ({ listing }: Known, level: Parameters<typeof levelRope>[0]): Html =>
  (listing?.flags ?? []).length > 0
    ? html`<span class="tag bad">${icon('circle-alert')}Flagged</span>`
    : levelRope(level);

/** The listing's own page answers, whichever page shows it. */
function probeForm({ item }: Known, nowMs: number): Html {
  const { provider_id, external_id, runnable } = item as NonNullable<Known['item']>;
  return html`<form method="post" action="${listingPath(provider_id, external_id)}"><input type="hidden" name="do" value="probe">
<p class="ways"><button type="submit" class="button plain">Check now</button> <span class="fine">${runnable.checked_at === null ? 'Not checked yet.' : html`Last checked ${ago(runnable.checked_at, nowMs)}.`}</span></p></form>`;
}

/** One line for phones, where the card is far below. */
export function trustSummary(known: Known, nowMs: number): Html | null {
  const { verification } = baseOf(known);
  if (verification === null) return null;
  const [first] = trustLines(known, nowMs);
  return html`<a class="trust-summary" href="#trust">${standing(known, verification.level)}<span>${first?.claim}</span>${icon('chevron-right')}</a>`;
}

/** Where else it is listed, with what its sources disagree about. */
export function sourcesCard({ listing, item, path }: Known): Html | null {
  const members = listing?.members ?? [];
  if (members.length === 0 || (members.length === 1 && item === null)) return null;
  const { conflicts } = listing as NonNullable<typeof listing>;
  return html`<section class="card" aria-labelledby="listed-by"><h2 id="listed-by">Listed by <span class="label">${counted(members.length, 'source')}</span></h2>
<ul class="listed-by">${members.slice(0, MOST_SOURCES).map((member) => html`<li>${providerTile(member.provider)}<span><a href="${path}?tab=sources">${providerName(member.provider)}</a> <span class="label"><bdi>${cut(member.external_id, 80)}</bdi></span></span><span class="label num"><bdi>${cut(member.version, 12)}</bdi></span></li>`)}</ul>
${conflicts.length > 0 && html`<p class="notice">${icon('git-compare')}<span>Sources disagree on the ${conflicts.map(({ field }) => field).join(', ')}. <a href="${path}?tab=sources">Compare</a></span></p>`}</section>`;
}

const MOST_SOURCES = 8;

export function aboutCard(known: Known, nowMs: number): Html {
  const { item, listing, version, skill } = known;
  const base = baseOf(known);
  const digest = version?.digest ?? skill?.digest;
  const rows: [string, Value][] = [
    ['Repository', strangersLink(base.repository)],
    ['Homepage', base.homepage !== base.repository && strangersLink(base.homepage)],
    ['Package', item?.runnable.package != null && html`<code>${cut(item.runnable.package.purl, 120)}</code>`],
    ['Downloads', base.downloads > 0 && count(base.downloads)],
    ['Stars', base.stars > 0 && count(base.stars)],
    ['Published', item !== null && ago(item.published_at, nowMs)],
    ['Updated', item?.reported.updated_at && ago(item.external_updated_at, nowMs)],
    ['First seen', ago(item?.first_seen_at ?? listing?.created_at ?? null, nowMs)],
    ['Last seen', item !== null && ago(item.last_seen_at, nowMs)],
    ['Digest', digest !== undefined && html`<code title="${digest}">${digest.slice(0, 19)}…</code>`],
    [
      'Featured',
      listing?.featured_because != null && html`<span dir="auto">${cut(listing.featured_because, 300)}</span>`,
    ],
    ['Needs', skill !== null && skill.compatibility !== '' && cut(skill.compatibility, 200)],
  ];
  return html`<section class="card" aria-labelledby="about"><h2 id="about">About</h2>
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${base.tags.length > 0 && html`<ul class="chips" aria-label="Tags">${base.tags.slice(0, 20).map((tag) => html`<li><a href="/marketplace?tag=${encodeURIComponent(tag)}" rel="nofollow"><bdi>${cut(tag, 40)}</bdi></a></li>`)}</ul>`}</section>`;
}

/** The same page for programs, and what a reader can do about the listing. */
export const elsewhereCard = (links: readonly (readonly [words: string, href: string])[]): Html =>
  html`<p class="elsewhere">${links.map(([words, href]) => html`<a href="${href}" rel="nofollow">${words}</a>`)}</p>`;
