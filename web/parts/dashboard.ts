import { type Html, html, type Value } from '../server/html.ts';
import type { View } from '../server/page.ts';
import { type Said, saidBlock } from './said.ts';

/** The layout of the dashboard: navigation beside the content, status messages above it. */

const WAYS = [
  ['', 'Overview'],
  ['/tasks', 'Runs'],
  ['/connections', 'Connections'],
  ['/harnesses', 'Harnesses'],
  ['/rigs', 'Rigs'],
  ['/keys', 'API keys'],
  ['/sessions', 'Sessions'],
  ['/account', 'Account'],
] as const;

type Place = (typeof WAYS)[number][0];

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

export const board = ({ title, place, said, content, trail, beside }: Board): View => ({
  title,
  unlisted: true,
  content: html`<div class="board">
<nav class="places" aria-label="Dashboard"><ul>${WAYS.map(
    ([path, label]) =>
      html`<li><a href="/dashboard${path}"${path === place && html` aria-current="${trail === undefined ? 'page' : 'true'}"`}>${label}</a></li>`,
  )}</ul></nav>
<div class="sheet">
<header class="head">${trail !== undefined && html`<p class="label">${trail}</p>`}<div class="titled"><h1><bdi>${title}</bdi></h1>${beside}</div></header>
${saidBlock(said)}
${content}
</div>
</div>`,
});

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
