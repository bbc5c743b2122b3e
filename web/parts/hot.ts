import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { listingPath } from './listings.ts';
import { count, cut } from './words.ts';

/** The most run capabilities, with the runs of each of the last seven days. */

type HotItem = Operations['discovery']['listHot']['answer']['items'][number];

export const hotList = (items: readonly HotItem[]): Html => html`<ol class="ledger hot">${items.map(line)}</ol>`;

const line = ({ capability, runs, success_rate, trend }: HotItem): Html => html`<li>
<h3><a href="${pathOf(capability)}"><bdi>${cut(capability.name, 80)}</bdi></a></h3>
${spark(trend)}
<p class="facts"><span>${count(runs)} run${runs === 1 ? '' : 's'}</span><span>${Math.round(success_rate * 100)}% succeeded</span></p>
</li>`;

function pathOf({ kind, ref }: HotItem['capability']): string {
  if (kind === 'skill') return `/skills/${encodeURIComponent(ref)}`;
  if (kind === 'capability') return `/marketplace/${encodeURIComponent(ref)}`;
  const slash = ref.indexOf('/');
  return listingPath(ref.slice(0, slash), ref.slice(slash + 1));
}

const BAR = 9;
const HEIGHT = 20;

/** Bars are sized by attributes because the Content-Security-Policy forbids inline styles. */
function spark(trend: readonly number[]): Html {
  const most = Math.max(1, ...trend);
  const bars = trend.map((runs, day) => {
    const height = Math.max(1, Math.round((runs / most) * HEIGHT));
    return html`<rect x="${day * BAR}" y="${HEIGHT - height}" width="${BAR - 3}" height="${height}"/>`;
  });
  return html`<svg class="spark" viewBox="0 0 ${trend.length * BAR - 3} ${HEIGHT}" role="img" aria-label="Runs of the last ${trend.length} days: ${trend.join(', ')}" preserveAspectRatio="none">${bars}</svg>`;
}
