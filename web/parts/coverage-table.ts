import type { Stats } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { providerName } from './icon.ts';
import { ago, count, cut } from './words.ts';

/** How many of each provider's listings run here, and why the others do not. */

type Row = Stats['by_provider'][number];
type Coverage = NonNullable<Row['coverage']>;

export function coverageSection(stats: Stats | null, now_ms: number): Html | null {
  const counted = stats?.by_provider.filter(({ coverage }) => coverage !== null && coverage.listings > 0) ?? [];
  if (stats === null || counted.length === 0) return null;
  return html`<section aria-labelledby="coverage"><h2 id="coverage">What runs here</h2>
<p class="fine">Counted ${ago(stats.coverage_counted_at, now_ms)}. <em>Runs</em>: checked here, with the date on the listing’s page. <em>Needs input</em>: runs with your values, sign-in or granted hosts. <em>Not tried</em>: nothing is missing, but it has not been run yet. <em>Runnable</em>: the share of these three.</p>
<table class="syncs coverage">
<thead><tr><th scope="col">Provider</th><th scope="col" class="number">Listings</th>${COLUMNS.map(([, words]) => html`<th scope="col" class="number">${words}</th>`)}<th scope="col" class="number">Runnable</th></tr></thead>
<tbody>${counted.map(row)}</tbody>
</table>
${counted.map(reasons)}</section>`;
}

const COLUMNS: readonly [key: Exclude<keyof Coverage, 'reasons' | 'listings'>, words: string][] = [
  ['runs', 'Runs'],
  ['needs_input', 'Needs input'],
  ['not_tried', 'Not tried'],
  ['failed', 'Failed'],
  ['unsupported', 'Unsupported'],
];

function row({ provider, coverage }: Row): Html {
  const figures = coverage as Coverage;
  return html`<tr>
<th scope="row"><a href="/marketplace?provider=${provider}">${providerName(provider)}</a></th>
<td class="number" data-label="Listings">${count(figures.listings)}</td>
${COLUMNS.map(([key, words]) => html`<td class="number" data-label="${words}">${count(figures[key])}</td>`)}
<td class="number" data-label="Runnable">${share(figures)}</td>
</tr>`;
}

/** Rounded down, so that 100 % means all. */
const share = ({ listings, failed, unsupported }: Coverage): string =>
  `${Math.floor(((listings - failed - unsupported) * 100) / listings)} %`;

const REASONS: Record<string, string> = {
  wants_network: 'Needs granted hosts',
  auth_needed: 'Sign-in required',
  missing_env: 'Needs your values',
  failed: 'Package does not start',
  not_mcp: 'Does not speak MCP',
  unreachable: 'Does not respond',
};

function reasons({ provider, coverage }: Row): Html | null {
  const of = coverage?.reasons ?? [];
  if (of.length === 0) return null;
  return html`<details><summary>${providerName(provider)}: reasons</summary><ul>${of.map(
    ({ reason, detail, count: many }) =>
      html`<li>${count(many)} × <bdi>${cut(detail || (REASONS[reason] ?? reason), 300)}</bdi></li>`,
  )}</ul></details>`;
}
