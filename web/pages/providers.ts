import { coverageSection } from '../parts/coverage-table.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { syncTable } from '../parts/sync-table.ts';
import { count } from '../parts/words.ts';
import { html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/providers`: the listings of each provider and its sync status, refreshed while the page is visible. */
export const providers: Page = {
  get: async ({ capstan, site }) => {
    const [{ providers: syncs }, stats] = await Promise.all([
      capstan.sync.get(),
      orWarmingUp(capstan.items.getStats()),
    ]);
    const content = html`<div class="head"><h1>Providers</h1>
<p class="lead">${stats === null ? '' : `${count(stats.total_count)} listings of `}eight public registries, synced regularly. Listings removed there are removed here. Rejected records are kept with the reason.</p></div>
<div data-island="live" data-every="2000">${syncTable(syncs, stats, site.now())}</div>
${coverageSection(stats, site.now())}
<p class="fine">As JSON: <a href="/api/marketplace/registry/sync">syncs</a>, <a href="/api/marketplace/registry/stats">totals</a>, <a href="/api/marketplace/registry/rejected">rejected records</a>.</p>`;
    return {
      title: 'Providers',
      description: 'The registries that are synced here, and their status.',
      content,
    };
  },
};
