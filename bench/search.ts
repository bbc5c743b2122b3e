import { capabilitySegmentBytes } from '#catalog/search/index/capability-segment.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import { type SearchRequest, searchCapabilities } from '#catalog/search/query/marketplace-search.ts';
import type { MarketplaceView } from '#catalog/search/query/marketplace-view.ts';
import { capabilityOfHit } from '#catalog/search/query/marketplace-view.ts';
import { useWeights } from '#catalog/search/query/order-weights.ts';
import { RANKING } from '#catalog/search/ranking.ts';
import { documentOfItem } from '#test/item-documents.ts';
import { viewsOver } from '#test/listing-search.ts';
import { startLoad, startServer } from './catalog/processes.ts';
import { plainBm25, registryList } from './search/baselines.ts';
import { buildView } from './search/build-view.ts';
import { documentsAt, realItems } from './search/documents-at.ts';
import { type Quality, qualityOf, type Ranked } from './search/quality.ts';
import { type Judged, readQueries } from './search/queries.ts';
import { compareSurfaces } from './search/surfaces.ts';

/**
 * The marketplace's search: how good its first ten are beside others', on published judgements over the real listings, and
 * how fast it is at 100,000 capabilities. `node bench/search.ts [capabilities]`.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
const ROUND_MS = 10_000;
const CONNECTIONS = 100;
/** Requests a second of agentic-community/mcp-gateway-registry at concurrency 100, by its own benchmark. */
const ANCHOR_PER_SECOND = 7.8;

const queries = readQueries();
const real = realItems();
const rankedView = buildView(real.map(documentOfItem));
// The judgements are about real listings: without them there is nothing to compare.
if (real.length > 0) {
  compareQuality();
  const { list } = viewsOver(real.map((item) => ({ item })));
  await compareSurfaces({ market: rankedView, list }, real, queries);
} else
  console.log(
    'Quality is not measured: set CAPSTAN_TEST_DATA to a folder with listings.jsonl. Speed is, on generated listings.',
  );
const view = buildView(documentsAt(COUNT));
measureInProcess();
await measureOverHttp();

function ours(of: MarketplaceView): Ranked {
  return (query) => {
    const { hits } = searchCapabilities(of, { ...askedBy(query), limit: 10 });
    return hits.map(({ row }) =>
      capabilityOfHit(of, row).sources.map((source) => `${source.provider}/${source.external_id}`),
    );
  };
}

function askedBy({ query, listing_type }: Judged): SearchRequest {
  const filters = { ...NO_FILTERS, listing_type: listing_type ?? null };
  return { text: query, as_typed: false, filters, sort: 'relevance', limit: 50, offset: 0 };
}

function compareQuality(): void {
  const items = real;
  const ranked = ours(rankedView);
  const rows: Record<string, Record<string, string | number>> = {};
  const tuning = queries.filter(({ set }) => set === 'tuning');
  const untouched = queries.filter(({ set }) => set === 'untouched');
  const measure = (name: string, ranker: Ranked): void => {
    const sets = { all: queries, skills: queries.filter(isOfSkills), tuning, untouched };
    for (const [set, some] of Object.entries(sets)) rows[`${name}: ${set}`] = shown(qualityOf(ranker, some));
    rows[`${name}: untouched skills`] = shown(qualityOf(ranker, untouched.filter(isOfSkills)));
  };
  measure('marketplace search', ranked);
  useWeights({});
  measure('without the learned order', ranked);
  useWeights(null);
  without('synonym', () => measure('without synonyms', ranked));
  without('prior', () => measure('without proof and popularity', ranked));
  measure('BM25 over all text', plainBm25(items));
  measure('registry list, by downloads', registryList(items));
  console.table(rows);
  const kinds: typeof rows = {};
  for (const [kind, some] of Map.groupBy(queries, (query) => query.kind))
    if (kind !== 'none')
      for (const [set, of] of Map.groupBy(some, (query) => query.set))
        kinds[`${kind}: ${set}`] = shown(qualityOf(ranked, of));
  console.table(kinds);
}

function isOfSkills({ listing_type }: Judged): boolean {
  return listing_type === 'skill';
}

function without(part: 'synonym' | 'prior', act: () => void): void {
  const before = RANKING[part];
  RANKING[part] = 0;
  forgetPlans(rankedView);
  act();
  forgetPlans(rankedView);
  RANKING[part] = before;
}

/** Numbers of the ranker are in what is kept of queries and of terms. */
function forgetPlans({ plans, vocabulary }: MarketplaceView): void {
  plans.clear();
  vocabulary.expanded.clear();
}

function shown({ queries: count, ndcg, mrr, recall, unjudged }: Quality) {
  return {
    queries: count,
    'NDCG@10': rounded(ndcg),
    MRR: rounded(mrr),
    'recall@10': rounded(recall),
    unjudged: rounded(unjudged),
  };
}

function measureInProcess(): void {
  const { list, search } = capabilitySegmentBytes(view.parts[0].segment);
  const times: number[] = [];
  for (let round = 0; round < 6; round++)
    for (const query of queries) {
      forgetPlans(view);
      const began = performance.now();
      searchCapabilities(view, askedBy(query));
      // The first round compiles.
      if (round > 0) times.push(performance.now() - began);
    }
  times.sort((a, b) => a - b);
  const at = (share: number) => rounded(times[Math.floor(times.length * share)] as number);
  console.table({
    [`in process, ${COUNT} capabilities`]: {
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      'slowest ms': at(0.9999),
      'list and JSON, bytes each': Math.round(list / COUNT),
      'search, bytes each': Math.round(search / COUNT),
    },
  });
}

async function measureOverHttp(): Promise<void> {
  const [server, load] = [await startServer('../search/serve-search.ts', [String(COUNT)]), await startLoad()];
  const order = { paths: [], connections: CONNECTIONS };
  const rows: Record<string, Record<string, number>> = {};
  const same = queries.map((query) => requestFor(query, ''));
  // Words of different queries together, as nobody asks a second time.
  const fresh = Array.from({ length: 20_000 }, (_, i) =>
    requestFor(queries[i % queries.length] as Judged, wordsOf(queries[(i * 7 + Math.floor(i / 178)) % queries.length])),
  );
  for (const [name, raw, repeat] of [
    ['the queries again and again', same, true],
    ['never the same', fresh, false],
  ] as const) {
    if (repeat) await load.measure(server, { ...order, raw: [...raw], repeat, duration_ms: 2_000 });
    const measured = await load.measure(server, { ...order, raw: [...raw], repeat, duration_ms: ROUND_MS });
    rows[`POST /api/marketplace/search, ${CONNECTIONS} connections, ${name}`] = {
      'a second': Math.round(measured.per_second),
      'p50 ms': rounded(measured.p50_ms),
      'p99 ms': rounded(measured.p99_ms),
      'CPU µs': Math.round(measured.cpu_us),
      failed: measured.failed,
      'times the anchor': Math.round(measured.per_second / ANCHOR_PER_SECOND),
    };
  }
  console.table(rows);
  await Promise.all([server.stop(), load.stop()]);
}

function wordsOf(query: Judged | undefined): string {
  return ` ${query?.query.split(' ')[0] ?? ''}`;
}

function requestFor({ query, listing_type }: Judged, more: string): string {
  const filters = listing_type === undefined ? {} : { filters: { listing_type } };
  const body = JSON.stringify({ query: `${query}${more}`, ...filters, limit: 10 });
  const head = 'POST /api/marketplace/search HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json';
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
