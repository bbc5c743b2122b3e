import { type Operations, verifyBundle } from '../../sdk/src/index.ts';
import { agentCommands } from '../parts/agent-commands.ts';
import { capabilityLedger } from '../parts/capabilities.ts';
import { capabilityCards } from '../parts/capability-cards.ts';
import { collectionCards, filled } from '../parts/collection-cards.ts';
import { exampleRun, noExample } from '../parts/example-run.ts';
import { featuredShelf } from '../parts/featured.ts';
import { hotList } from '../parts/hot.ts';
import { kindIcon } from '../parts/icon.ts';
import { orNone } from '../parts/or-none.ts';
import { searchForm } from '../parts/search-form.ts';
import { orWarmingUp } from '../parts/stats.ts';
import { count } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';

/** `/`: the promise, search, a real run, what can be used at once, and one command to use it from an agent. */
export const home: Page = {
  get: async (visit) => {
    const { capstan, site, query } = visit;
    const [stats, running, featured, chosen, hot, example] = await Promise.all([
      orWarmingUp(capstan.listings.getStats()),
      orWarmingUp(capstan.listings.search({ body: { filters: { availability: ['runs'] }, limit: MOST_CARDS } })),
      capstan.featured.list(),
      capstan.collections.list(),
      capstan.discovery.listHot({ limit: 5 }),
      exampleOf(visit),
    ]);
    // What comes with every service is no choice of its operators.
    const picked = featured.items.filter(({ reason }) => reason.by !== 'service').slice(0, 4);
    const collections = filled(chosen.items).slice(0, 4);
    const content = html`<section class="hero"><div class="promise">
<h1><span>Find an agent capability.</span> <span>Run it.</span> <span class="last">Prove what it did.</span></h1>
<p class="lead">${stats === null || stats.capabilities === 0 ? site.description : leadOf(stats)}</p>
${searchForm({ action: '/marketplace', label: 'Search the marketplace', follow: false })}
<ul class="chips" aria-label="Try a search">${TRIES.map((words) => html`<li><a href="/marketplace?search=${encodeURIComponent(words)}">${words}</a></li>`)}</ul>
${stats !== null && kinds(stats)}
</div>
${example}
</section>
<div class="home">
<section id="results" aria-labelledby="top">${await usable(visit, running)}</section>
${picked.length > 0 && featuredShelf(picked)}
${collections.length > 0 && html`<section aria-labelledby="collections"><h2 id="collections">Collections <a href="/collections">All collections</a></h2>${collectionCards(collections)}</section>`}
<div class="two">
${hot.items.length > 0 && html`<section aria-labelledby="hot"><h2 id="hot">Most run this week</h2>${hotList(hot.items)}</section>`}
${agentCommands(site.base_url, query.get('client') ?? '')}
</div>
</div>`;
    return { title: site.title, content, markdown: '/llms.txt' };
  },
};

const MOST_CARDS = 6;
/** With fewer, there is no row of cards. */
const LEAST_CARDS = 3;

/** Requests that skills of every service answer. */
const TRIES = ['profile a CSV', 'diff two OpenAPI files', 'find leaked secrets'];

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
type Running = Operations['listings']['search']['answer'];

/** What runs now; where little was proved yet, what is used most elsewhere. */
async function usable({ capstan, site }: Visit, running: Running | null): Promise<Html> {
  if (running !== null && running.items.length >= LEAST_CARDS)
    return html`<h2 id="top">Runs now, no key needed <a href="/marketplace?availability=runs">All that run now</a></h2>
${capabilityCards(running.items)}`;
  const top = running === null ? null : await orWarmingUp(capstan.listings.list({ sort: 'downloads', limit: 4 }));
  if (top === null)
    return html`<h2 id="top">The catalog is being built</h2><p>This takes a moment after startup. <a href="/">Refresh</a></p>`;
  if (top.total_count === 0)
    return html`<h2 id="top">The catalog is empty</h2><p>Listings appear as providers are synced. <a href="/providers">View sync status</a>.</p>`;
  const title = top.items.some(({ downloads }) => downloads > 0) ? 'Most downloaded' : 'In the catalog';
  return html`<h2 id="top">${title} <a href="/marketplace">All ${count(top.total_count)} capabilities</a></h2>
${capabilityLedger(top.items, { nowMs: site.now() })}`;
}

/** Source of listings published here, so not counted as a provider. */
const OWN = 'capstan';

function leadOf({ capabilities, by_provider }: Stats): string {
  const registries = Object.entries(by_provider).filter(([provider, many]) => provider !== OWN && many > 0).length;
  const from = registries === 0 ? '' : ` from ${registries} ${registries === 1 ? 'registry' : 'registries'}`;
  return `${count(capabilities)} ${capabilities === 1 ? 'capability' : 'skills, MCP servers and harnesses'}${from}. Run one in a sandbox and keep a signed receipt.`;
}

const KINDS = [
  ['skill', 'Skills', 'Instructions and scripts'],
  ['server', 'Servers', 'Tools over MCP'],
  ['harness', 'Harnesses', 'Agent setups with memory'],
  ['rig', 'Rigs', 'All of these, pinned to exact versions'],
] as const;

const kinds = ({ by_listing_type }: Stats): Html => html`<nav class="card kinds" aria-label="Kinds">
${KINDS.map(([kind, title, about]) => html`<a href="/marketplace?listing_type=${kind}">${kindIcon(kind)}<strong>${title}</strong><span class="num">${count(by_listing_type[kind] ?? 0)}</span><span class="fine">${about}</span></a>`)}
</nav>`;
