import { type Operations, verifyBundle } from '../../sdk/src/index.ts';
import { capabilityLedger, type RowsShown } from '../parts/capabilities.ts';
import { copyable } from '../parts/copy.ts';
import { exampleRun, noExample } from '../parts/example-run.ts';
import { hotList } from '../parts/hot.ts';
import { orNone } from '../parts/or-none.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { count } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';

/** `/`: search, totals, the most-run capabilities and first steps. */
export const home: Page = {
  get: async (visit) => {
    const { capstan, site } = visit;
    const [stats, top, hot, example] = await Promise.all([
      orWarmingUp(capstan.listings.getStats()),
      orWarmingUp(capstan.listings.list({ sort: 'downloads', limit: 8 })),
      capstan.discovery.listHot({ limit: 5 }),
      exampleOf(visit),
    ]);
    const content = html`<section class="hero"><div class="promise">
<h1><span>Find an agent capability.</span> <span>Run it.</span> <span class="last">Prove what it did.</span></h1>
${searchForm({ action: '/marketplace', label: 'Search the marketplace', follow: false })}
${stats === null ? html`<p class="lead">${site.description}</p>` : facets(stats)}
</div>
${example}
</section>
<div class="home">
<section id="results" aria-labelledby="top">${topSection(top, { nowMs: site.now() })}</section>
<div class="side">
${hot.items.length > 0 && html`<section aria-labelledby="hot"><h2 id="hot">Most run this week</h2>${hotList(hot.items)}</section>`}
${firstSteps(site.base_url)}
</div>
</div>`;
    return { title: site.title, content, markdown: '/llms.txt' };
  },
};

/** The last example that this service ran, with its receipt. */
async function exampleOf({ capstan }: Pick<Visit, 'capstan'>): Promise<Html> {
  const { run } = await capstan.trials.getExample();
  if (run === null) return noExample();
  const id = run.receipt_id;
  const bundle = id === null ? null : await orNone(capstan.receipts.get({ id }));
  if (id === null || bundle === null) return exampleRun({ run, proof: null });
  return exampleRun({ run, proof: { id, verdict: await verifyBundle(bundle, { issuer: capstan }) } });
}

type Stats = Operations['listings']['getStats']['answer'];
type Top = Operations['listings']['list']['answer'];

function topSection(top: Top | null, shown: RowsShown): Html {
  if (top === null)
    return html`<h2 id="top">The catalog is being built</h2><p>This takes a moment after startup. <a href="/">Refresh</a></p>`;
  if (top.total_count === 0)
    return html`<h2 id="top">The catalog is empty</h2><p>Listings appear as providers are synced. <a href="/providers">View sync status</a>.</p>`;
  const title = top.items.some(({ downloads }) => downloads > 0) ? 'Most downloaded' : 'In the catalog';
  return html`<h2 id="top">${title} <a href="/marketplace">All ${count(top.total_count)} capabilities</a></h2>
${capabilityLedger(top.items, shown)}`;
}

const KINDS: Record<string, string> = { skill: 'Skills', server: 'Servers', harness: 'Harnesses', rig: 'Rigs' };

/** Source of listings published here, so not counted as a provider. */
const OWN = 'capstan';

const facets = ({ by_listing_type, by_provider }: Stats): Html => html`<ul class="chips" aria-label="Browse">
${Object.entries(by_listing_type)
  .filter(([, many]) => many > 0)
  .map(
    ([type, many]) =>
      html`<li><a href="/marketplace?listing_type=${type}">${KINDS[type] ?? type} <span>${count(many)}</span></a></li>`,
  )}
<li><a href="/providers">Providers <span>${Object.keys(by_provider).filter((key) => key !== OWN).length}</span></a></li>
</ul>`;

const firstSteps = (baseUrl: string): Html => html`<section aria-labelledby="first">
<h2 id="first">First steps</h2>
<div class="steps">
<p>From a terminal, without an account:</p>
${copyable(`curl -s '${baseUrl}/api/marketplace/registry?search=weather&limit=3'`, 'command for a terminal')}
<p>From an agent, over MCP:</p>
${copyable(`claude mcp add --transport http capstan ${baseUrl}/mcp/jsonrpc`, 'command for an agent')}
<p>For a walkthrough from search to verified receipt, read <a href="/docs/first-rig">The first rig</a>.</p>
</div>
</section>`;
