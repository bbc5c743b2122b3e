import { Registry } from 'prom-client';
import { capabilityBuilder } from '#catalog/search/index/capability-builder.ts';
import { quantized, vectorStore } from '#catalog/search/index/vectors.ts';
import { openSearchModels } from '#catalog/search/model/open-search-models.ts';
import { openScanner } from '#catalog/search/model/scanner.ts';
import { SEARCH_SETTINGS } from '#catalog/search/model/settings.ts';
import { embeddedText } from '#catalog/search/model/space.ts';
import type { Aid } from '#catalog/search/query/aid.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import { type SearchRequest, searchCapabilities } from '#catalog/search/query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView, marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';
import { nearestRows } from '#catalog/search/query/nearest-rows.ts';
import { readConfig } from '#core/config/config.ts';
import { startSearchModels } from '#test/fakes/search-models.ts';
import { documentOfItem } from '#test/item-documents.ts';
import { realItems } from './search/documents-at.ts';
import { trainLatent } from './search/latent.ts';
import { type Quality, qualityOf } from './search/quality.ts';
import { type Judged, readQueries } from './search/queries.ts';

/**
 * Models of the search: what a scan of vectors costs, and what a stand-in for an embedding model (search/latent.ts) does to the quality.
 * Times are processor time. `node bench/search-models.ts`.
 */

async function measureScans(): Promise<void> {
  const rows: Record<string, Record<string, number>> = {};
  const scanner = openScanner();
  for (const count of [35_000, 100_000])
    for (const dimensions of [256, 768, 1_536]) {
      const store = vectorStore();
      for (let row = 0; row < count; row++) store.add(`${row}`, randomVector(dimensions));
      const slots = store.slotsOf(
        count,
        Array.from({ length: count }, (_, row) => [`${row}`, row] as const),
      );
      const requests = Array.from({ length: 12 }, () => ({
        dimensions,
        blocks: store.blocks,
        kinds: [[{ slots, deleted: null }]],
        query: randomVector(dimensions),
        most: 100,
      }));
      // The first ones compile.
      const own = requests.map((request) => cpuOf(() => nearestRows(request))).slice(4);
      await scanner.nearest(requests[0] as (typeof requests)[number]);
      const before = process.threadCpuUsage();
      for (const request of requests) await scanner.nearest(request);
      const { user, system } = process.threadCpuUsage(before);
      rows[`${count} vectors of ${dimensions} dimensions`] = {
        'scan ms': rounded(own.reduce((sum, ms) => sum + ms, 0) / own.length),
        'of the serving thread ms': rounded((user + system) / 1_000 / requests.length),
        MB: rounded((count * dimensions) / 1e6),
      };
    }
  await scanner.close();
  console.table(rows);
}

function cpuOf(act: () => unknown): number {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const randomVector = (dimensions: number): Int8Array =>
  Int8Array.from({ length: dimensions }, () => Math.round(Math.random() * 254) - 127);

async function measureQuality(): Promise<void> {
  const real = realItems();
  if (real.length === 0)
    return console.log('Quality is not measured: set CAPSTAN_TEST_DATA to a folder with listings.jsonl.');
  const documents = real.map(documentOfItem);
  const texts = documents.map(embeddedText);
  // The others are left untouched: a stand-in says nothing that needs them.
  const queries = readQueries().filter(({ set }) => set === 'tuning');
  const rows: Record<string, Record<string, number>> = {};
  const dimensions = 256;
  const latent = trainLatent(texts, dimensions);
  const builder = capabilityBuilder();
  for (const document of documents) builder.add(document);
  const { segment, ids } = builder.finish();
  const store = vectorStore();
  documents.forEach(({ wire }, at) => {
    store.add(wire.id, quantized(Float32Array.from(latent.vectorOf(texts[at] as string))));
  });
  const base = store.slotsOf(
    ids.length,
    ids.map((id, row) => [id, row] as const),
  );
  const tools = { base: store.slotsOf(0, []), delta: null };
  const vectors = { dimensions, blocks: store.blocks, base, delta: null, tools };
  const view = marketplaceViewOf(
    { base: segment, deleted: null, delta: null, version: 'bench', is_whole: true, vectors },
    null,
  );
  await using server = await startSearchModels({ vectorOf: (text) => latent.vectorOf(text), dimensions });
  const models = openSearchModels({
    config: readConfig(SEARCH_SETTINGS, { CAPSTAN_EMBEDDINGS_URL: server.url, CAPSTAN_EMBEDDINGS_WAIT: '10s' }),
    models: { pick: () => null },
    registry: new Registry(),
  });
  const aids = new Map<string, Aid | null>();
  for (const query of queries) aids.set(query.id, await models.aid(view, askedBy(query)));
  await models.close();
  const measure = (name: string, aidOf: (query: Judged) => Aid | null): void => {
    const ranked = rankedBy(view, aidOf);
    const kinds = Object.fromEntries(Map.groupBy(queries, ({ kind }) => kind));
    for (const [set, some] of Object.entries({ tuning: queries, ...kinds }))
      if (set !== 'none') rows[`${name}: ${set}`] = shown(qualityOf(ranked, some as Judged[]));
  };
  measure('words', () => null);
  for (const weight of [0.3, 1])
    measure(`and ${dimensions} latent dimensions, weight ${weight}`, ({ id }) => {
      const aid = aids.get(id) ?? null;
      return aid === null ? null : { ...aid, weight };
    });
  console.table(rows);
}

const rankedBy = (view: MarketplaceView, aidOf: (query: Judged) => Aid | null) => (query: Judged) =>
  searchCapabilities(view, { ...askedBy(query), aid: aidOf(query) }).hits.map(({ row }) =>
    capabilityOfHit(view, row).sources.map(({ provider, external_id }) => `${provider}/${external_id}`),
  );

function askedBy({ query, listing_type }: Judged): SearchRequest {
  const filters = { ...NO_FILTERS, listing_type: listing_type ?? null };
  return { text: query, as_typed: false, filters, sort: 'relevance', limit: 10, offset: 0 };
}

const shown = ({ queries, ndcg, mrr, recall, unjudged }: Quality) => ({
  queries,
  'NDCG@10': rounded(ndcg),
  MRR: rounded(mrr),
  'recall@10': rounded(recall),
  unjudged: rounded(unjudged),
});

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

await measureScans();
await measureQuality();
