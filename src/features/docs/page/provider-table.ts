import { type Html, html } from '../../../platform/http/html.ts';
import type { ProviderStats, RegistryStats } from '../../registry/describe-stats.ts';

/** How many listings each provider has, and how its last sync went. */

const WORDS: Record<string, string> = {
  never: 'not yet',
  running: 'syncing',
  succeeded: 'synced',
  partial: 'in part',
  failed: 'failed',
  disabled: 'off',
};

export const providerTable = (stats: RegistryStats, now: number): Html => html`<section aria-labelledby="providers">
<h2 id="providers">Providers</h2>
<table>
<thead><tr><th scope="col">Provider</th><th scope="col" class="number">Listings</th><th scope="col">Sync</th></tr></thead>
<tbody>${stats.by_provider.map((it) => row(it, now))}</tbody>
<tfoot><tr><th scope="row">All</th><td class="number">${stats.total_count.toLocaleString('en')}</td><td></td></tr></tfoot>
</table>
<p class="note"><a href="/api/marketplace/registry/sync">Sync in detail</a> · <a href="/api/marketplace/registry/stats">Totals as JSON</a></p>
</section>`;

const row = ({ provider, count, status, last_synced_at }: ProviderStats, now: number): Html => html`<tr>
<th scope="row"><a href="/?provider=${provider}">${provider}</a></th>
<td class="number">${count.toLocaleString('en')}</td>
<td><span class="dot ${status}"></span>${WORDS[status] ?? status}${status === 'running' || last_synced_at === null ? null : ago(last_synced_at, now)}</td>
</tr>`;

function ago(at: string, now: number): Html {
  const minutes = Math.max(0, Math.round((now - Date.parse(at)) / 60_000));
  const words =
    minutes < 2
      ? 'just now'
      : minutes < 90
        ? `${minutes} min ago`
        : minutes < 2_880
          ? `${Math.round(minutes / 60)} h ago`
          : `${Math.round(minutes / 1_440)} days ago`;
  return html` <time datetime="${at}">${words}</time>`;
}
