import type { Clock } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { Reply } from '../../../platform/http/operation.ts';
import { SERVICE } from '../../../platform/service.ts';
import type { Catalog } from '../../registry/catalog/catalog.ts';
import { normalQuery } from '../../registry/catalog/query.ts';
import type { RegistryStats } from '../../registry/describe-stats.ts';
import type { ReadStats } from '../../registry/read-stats.ts';
import type { PageQuery } from '../contract.ts';
import { firstSteps } from './first-steps.ts';
import { page } from './page.ts';
import { providerTable } from './provider-table.ts';
import { type PageResults, resultsSection } from './results.ts';
import { searchForm } from './search-form.ts';

/** The page at `/`: search, results, what is synced, first steps. */

export interface HomeDeps {
  catalog: Pick<Catalog, 'isReady' | 'items'>;
  /** The registry in numbers; not asked before the catalogue is ready. */
  stats: ReadStats;
  clock: Clock;
  /** What the examples are sent to, without a slash at the end. */
  base_url: string;
}

const PAGE_SIZE = 20;
const FEATURED = 10;

export async function homePage(deps: HomeDeps, query: PageQuery): Promise<Reply> {
  const found = search(deps, query);
  const isSearch = isAsked(query);
  const stats = deps.catalog.isReady ? await deps.stats() : null;
  const content = html`<main id="main">
<section class="${isSearch ? 'hero short' : 'hero'}">
<h1><span>Find an agent capability.</span> <span>Run it.</span> <span>See the proof.</span></h1>
${isSearch ? null : html`<p class="lead">${lead(stats)}</p>`}
${searchForm(query)}
</section>
<p id="status" role="status" class="hidden"></p>
<div class="columns">
${found === null ? warmingUp : resultsSection(found, query)}
<aside>
${stats === null ? null : providerTable(stats, deps.clock.now())}
${isSearch ? null : firstSteps(deps.base_url)}
</aside>
</div>
</main>`;
  const title = query.search ? `${query.search.slice(0, 60)}` : SERVICE.title;
  return page({ title, script: 'search.js', markdown_url: '/api/docs.md', content });
}

const isAsked = ({ search, provider, listing_type, execution_class, offset }: PageQuery): boolean =>
  Boolean(search?.trim() || provider || listing_type || execution_class || offset > 0);

const lead = (stats: RegistryStats | null): string =>
  stats === null || stats.total_count === 0
    ? SERVICE.description
    : `${stats.total_count.toLocaleString('en')} skills, servers, harnesses and rigs from eight public registries, in one place and one form.`;

function search({ catalog }: HomeDeps, query: PageQuery): PageResults | null {
  if (!catalog.isReady) return null;
  const is_search = isAsked(query);
  const limit = is_search ? PAGE_SIZE : FEATURED;
  const { offset } = query;
  const { items, total_count } = catalog.items(
    normalQuery({
      search: query.search,
      provider: query.provider || undefined,
      listing_type: query.listing_type || undefined,
      execution_class: query.execution_class || undefined,
      sort: 'downloads',
      limit,
      offset,
    }),
  );
  return { items, total_count, limit, offset, is_search };
}

const warmingUp: Html = html`<section class="results" aria-live="polite">
<h2>The catalogue is being built</h2>
<p>This takes a moment after a start. <a href="/">Look again</a>.</p>
</section>`;
