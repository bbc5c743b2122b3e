import { type Html, html, type Value } from '../server/html.ts';
import type { View } from '../server/page.ts';
import { icon } from './icon.ts';
import { type Said, saidBlock } from './said.ts';
import { shortCount } from './words.ts';

/** The layout of the dashboard: navigation beside the content, status messages above it. */

const GROUPS = [
  {
    title: null,
    ways: [
      ['', 'Overview', 'layout-dashboard'],
      ['/connections', 'Connections', 'plug'],
      ['/tasks', 'Runs', 'history'],
      ['/rigs', 'Rigs', 'sailboat'],
      ['/harnesses', 'Harnesses', 'layers'],
      ['/publishing', 'Publishing', 'upload'],
    ],
  },
  {
    title: 'Account',
    ways: [
      ['/keys', 'API keys', 'key-round'],
      ['/sessions', 'Sessions', 'monitor'],
      ['/account', 'Settings', 'settings-2'],
    ],
  },
] as const;

type Place = (typeof GROUPS)[number]['ways'][number][0];

/** How many the reader has. Harnesses are listed with a signature only. */
export type PlaceCounts = Partial<Record<Place, number>>;

/** A page of the dashboard, before the navigation is beside it. */
export interface BoardView extends View {
  place: { path: Place; is_below: boolean };
}

interface Board {
  title: string;
  place: Place;
  said: Said | null;
  content: Value;
  /** Above the title. */
  trail?: Html;
  /** Beside the title. */
  beside?: Value;
}

export const board = ({ title, place, said, content, trail, beside }: Board): BoardView => ({
  title,
  unlisted: true,
  place: { path: place, is_below: trail !== undefined },
  content: html`<header class="head">${trail !== undefined && html`<p class="label">${trail}</p>`}<div class="titled"><h1><bdi>${title}</bdi></h1>${beside}</div></header>
${saidBlock(said)}
${content}`,
});

export function withPlaces({ place, content, ...view }: BoardView, counts: PlaceCounts): View {
  return {
    ...view,
    content: html`<div class="board">
<nav class="places" aria-label="Dashboard">${GROUPS.map(({ title, ways }) => html`${title !== null && html`<p class="label">${title}</p>`}<ul>${ways.map((way) => placeLink(way, place, counts))}</ul>`)}</nav>
<div class="sheet">
${content}
</div>
</div>`,
  };
}

function placeLink(
  [path, label, shape]: (typeof GROUPS)[number]['ways'][number],
  current: BoardView['place'],
  counts: PlaceCounts,
): Html {
  const many = counts[path] ?? 0;
  const isCurrent = path === current.path && html` aria-current="${current.is_below ? 'true' : 'page'}"`;
  return html`<li><a href="/dashboard${path}"${isCurrent}>${icon(shape)}${label}${many > 0 && html` <span class="label num">${shortCount(many)}</span>`}</a></li>`;
}

/** A form that consists of one button. */
export const actButton = (name: string, label: string, fields: Record<string, string> = {}, look = 'plain'): Html =>
  html`<form method="post"><input type="hidden" name="do" value="${name}">${Object.entries(fields).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}<button type="submit" class="button ${look}">${label}</button></form>`;

/** Links to the previous and next page of a list; null if everything fits on one page. */
export function neighbours(
  path: string,
  { total_count, limit, offset }: { total_count: number; limit: number; offset: number },
  kept: Record<string, string> = {},
): Html | null {
  const at = (to: number) => `${path}?${new URLSearchParams({ ...kept, offset: `${to}` })}`;
  if (offset === 0 && offset + limit >= total_count) return null;
  return html`<nav class="pages" aria-label="Pages">
${offset > 0 ? html`<a rel="prev" href="${at(Math.max(0, offset - limit))}">← Previous</a>` : html`<span></span>`}
${offset + limit < total_count && html`<a rel="next" href="${at(offset + limit)}">Next →</a>`}
</nav>`;
}

/** The offset in an address; 0 if it is missing or invalid. */
export function offsetIn(query: URLSearchParams): number {
  const offset = Number(query.get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
