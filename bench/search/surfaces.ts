import type { Item } from '#catalog/items/item.ts';
import { listItems } from '#catalog/items/list.ts';
import { registrySearch } from '#catalog/items/tools/registry-search.ts';
import type { SearchedViews } from '#catalog/search/query/ranked-listings.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { systemClock } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import { searchMarketplace } from '#marketplace/listings/search.ts';
import { marketplaceSearch } from '#marketplace/listings/tools/marketplace-search.ts';
import { searchSkills } from '#surfaces/agent-skills/search.ts';
import { foundServers } from '#surfaces/servers/found-servers.ts';
import { openTestDatabase } from '#test/databases.ts';
import { input } from '#test/handler-input.ts';
import { searchIn } from '#test/listing-search.ts';
import { nothingPublished } from '#test/small-skill-store.ts';
import { runTool } from '#test/tool-calls.ts';
import { qualityOf, type Ranked } from './quality.ts';
import type { Judged } from './queries.ts';

/** Every way to search, in process: what each answers to the published queries. */

type Only = Partial<Pick<Item, 'provider_id' | 'listing_type'>>;

interface Surface {
  name: string;
  /** What it can find, if that is not everything. */
  only?: Only;
  /** The listings of each of the first ten results. */
  ask(query: Judged): Promise<string[][]>;
}

const LIMIT = 10;
/** The longest query of `registry_search`. */
const MOST_CHARS = 200;

/** Prints the quality of each surface beside that of the marketplace's search with the same filters on the same queries. */
export async function compareSurfaces(
  views: SearchedViews,
  items: readonly Item[],
  queries: readonly Judged[],
): Promise<void> {
  const database = await openTestDatabase();
  const byKey = new Map(items.map((item) => [`${item.provider_id}/${item.external_id}`, item]));
  const rows: Record<string, Record<string, number>> = {};
  for (const { name, only = {}, ask } of surfacesOver(views, database.db)) {
    const some = queries.flatMap((query) => askedOnly(query, only, byKey));
    const found = qualityOf(await answersOf(ask, some), some);
    const search = qualityOf(await answersOf(theSearch(views, only), some), some);
    rows[name] = {
      queries: found.queries,
      'NDCG@10': rounded(found.ndcg),
      'the search itself': rounded(search.ndcg),
      difference: rounded(found.ndcg - search.ndcg),
    };
  }
  console.table(rows);
  await database.close();
}

/** The query with what can be found of its judgements; nothing if none of that is of use. */
function askedOnly(query: Judged, only: Only, items: ReadonlyMap<string, Item>): Judged[] {
  const { listing_type } = query;
  if (listing_type !== undefined && listing_type !== (only.listing_type ?? listing_type)) return [];
  const judgements = query.judgements.filter(([provider, id]) => {
    const item = items.get(`${provider}/${id}`);
    return item !== undefined && Object.entries(only).every(([field, value]) => item[field as keyof Only] === value);
  });
  return judgements.some(([, , grade]) => grade > 0) ? [{ ...query, judgements }] : [];
}

async function answersOf(ask: Surface['ask'], queries: readonly Judged[]): Promise<Ranked> {
  const answers = new Map<string, string[][]>();
  for (const query of queries) answers.set(query.id, await ask(query));
  return ({ id }) => answers.get(id) ?? [];
}

interface Source {
  provider: string;
  external_id: string;
}

const keyOf = ({ provider, external_id }: Source): string => `${provider}/${external_id}`;
const keysOf = (items: readonly Pick<Item, 'provider_id' | 'external_id'>[]): string[][] =>
  items.map(({ provider_id, external_id }) => [`${provider_id}/${external_id}`]);

/** `POST /api/marketplace/search`, which the marketplace's page and the command line ask, too. */
function theSearch({ market }: SearchedViews, only: Only): Surface['ask'] {
  const handler = searchMarketplace({ index: indexOf(market), countUnlinked: () => 0, clock: systemClock });
  return async ({ query, listing_type }) => {
    const filters = { listing_type: only.listing_type ?? listing_type, provider: only.provider_id };
    const given = JSON.parse(JSON.stringify({ query, filters, limit: LIMIT }));
    const { items } = await bodyOf(handler as unknown as Handler, { body: given });
    return items.map(({ sources }: { sources: Source[] }) => sources.map(keyOf));
  };
}

const indexOf = (market: SearchedViews['market']) => ({
  view: () => market,
  isReady: true,
  aid: () => null,
  aidTools: () => null,
  newest: () => market,
  isNewest: () => true,
  refresh: async () => {},
  close: async () => {},
});

// biome-ignore lint/suspicious/noExplicitAny: the answers are those of operations, whose tests check them
async function bodyOf(handler: Handler, entry: object): Promise<any> {
  const { body } = await handler(input(entry));
  return JSON.parse(Buffer.from(body as Uint8Array).toString());
}

function surfacesOver(
  views: SearchedViews,
  db: Awaited<ReturnType<typeof openTestDatabase>>['db'],
): readonly Surface[] {
  const { market, list } = views;
  const search = searchIn(views);
  const catalog = { isReady: true, version: 'bench', items: () => ({ items: [], total_count: 0 }) };
  const tools = [registrySearch({ search }), marketplaceSearch({ db, index: indexOf(market), countUnlinked: () => 0 })];
  const ranked = listItems({ catalog: catalog as unknown as Catalog, search });
  const skills = searchSkills({
    catalog,
    search,
    skill_store: { skills: [] },
    published: nothingPublished,
    base_url: '',
  });
  return [
    { name: 'POST /api/marketplace/search', ask: theSearch(views, {}) },
    {
      name: 'marketplace_search',
      ask: async ({ query, listing_type }) => {
        const { structured } = await runTool(tools, 'marketplace_search', { query, listing_type, limit: LIMIT });
        return structured.items.map(({ next }: { next: { arguments: Source } }) => [keyOf(next.arguments)]);
      },
    },
    {
      name: 'registry_search',
      ask: async ({ query, listing_type }) => {
        const asked = { query: query.slice(0, MOST_CHARS), listing_type, limit: LIMIT };
        const { structured } = await runTool(tools, 'registry_search', asked);
        return structured.items.map((item: Source) => [keyOf(item)]);
      },
    },
    {
      name: 'GET /api/marketplace/registry?sort=relevance',
      ask: async ({ query: text, listing_type }) => {
        const query = { search: text, listing_type, sort: 'relevance', limit: LIMIT, offset: 0 };
        return keysOf((await bodyOf(ranked as unknown as Handler, { query })).items);
      },
    },
    {
      name: 'GET /v0.1/servers?search=',
      only: { listing_type: 'server' },
      ask: async ({ query }) => keysOf(foundServers({ market, list }, query, null, LIMIT).map(({ item }) => item)),
    },
    {
      name: 'GET /api/search (npx skills find)',
      only: { listing_type: 'skill', provider_id: 'skills-sh' },
      ask: async ({ query: q }) => {
        const { skills: found } = await bodyOf(skills as unknown as Handler, { query: { q, limit: LIMIT } });
        return found.map(({ id }: { id: string }) => [`skills-sh/${id}`]);
      },
    },
  ];
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
