import { SEARCH_SORTS } from '#catalog/search/query/list-query.ts';
import { SYNC_STATUSES } from '#catalog/sync/sync-states.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { itemContract } from './contract-item.ts';
import { Coverage } from './coverage.ts';
import { ITEM_EXAMPLE } from './examples.ts';
import { Item } from './item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from './kinds.ts';

/** Operations on listings. */

const LIST_QUERY = Type.Object({
  provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only listings of this provider.' })),
  listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only listings of this type.' })),
  execution_class: Type.Optional(Type.Enum([...EXECUTION_CLASSES], { description: 'Only listings of this class.' })),
  tag: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only listings with exactly this tag, ignoring case and accents.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 400,
      description:
        'Terms separated by white space. Each must occur in the name, description or author, ignoring case and accents. With ' +
        '`sort=relevance`, anything that `POST /api/marketplace/search` understands.',
    }),
  ),
  sort: Type.Enum([...SEARCH_SORTS], {
    default: 'downloads',
    description:
      'Downloads, stars and update time in descending order; name from A to Z. Ties are sorted by name. `relevance`: the best ' +
      'match of `search` first, each capability once, with filters that apply to the capability; `downloads` without a search.',
  }),
  as_typed: Type.Optional(
    Type.Boolean({ description: 'With `sort=relevance`: without corrections and translations of the search.' }),
  ),
  ...pageQuery('Listings'),
});

export const ListItem = Type.Object(
  {
    ...Item.properties,
    flagged: Type.Optional(
      Type.Literal(true, {
        description:
          'Flagged by the checks, a provider or an operator. Absent otherwise. While the header `X-Capstan-Index` is ' +
          '`building`, some flags are missing.',
      }),
    ),
    copies: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'With `sort=relevance`: further matches with the same text, which other orders list. Absent without any.',
      }),
    ),
  },
  { additionalProperties: false },
);
const Instead = Type.Optional(
  Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
    description: 'With `sort=relevance`: what was searched for instead of what was typed.',
  }),
);
export const ItemList = Type.Object({ ...pageOf(ListItem).properties, corrected: Instead, translated: Instead });

const SKILLS_QUERY = Type.Object({
  ...LIST_QUERY.properties,
  listing_type: Type.Enum([...LISTING_TYPES], { default: 'skill', description: 'Only listings of this type.' }),
});

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
const byFilter = { by_listing_type: Counts, by_execution_class: Counts };
const Time = Type.Union([Type.String(), Type.Null()]);

export const Stats = Type.Object({
  total_count: Type.Integer({ minimum: 0 }),
  by_provider: Type.Array(
    Type.Object({
      provider: Type.Enum([...PROVIDERS]),
      count: Type.Integer({ minimum: 0 }),
      ...byFilter,
      last_synced_at: Time,
      status: Type.Enum([...SYNC_STATUSES]),
      coverage: Type.Union([Coverage, Type.Null()], { description: 'What runs here. Null before the first count.' }),
    }),
  ),
  ...byFilter,
  updated_at: Time,
  coverage_counted_at: Time,
});

const COUNTS_EXAMPLE = {
  by_listing_type: { skill: 0, server: 250, harness: 0, rig: 0 },
  by_execution_class: { prompt: 0, scripted: 0, mcp: 250 },
};
const STATS_EXAMPLE = {
  total_count: 250,
  by_provider: [
    {
      provider: 'docker',
      count: 250,
      ...COUNTS_EXAMPLE,
      last_synced_at: '2026-04-13T17:33:26.613Z',
      status: 'succeeded',
      coverage: {
        listings: 250,
        runs: 120,
        needs_input: 80,
        not_tried: 30,
        failed: 8,
        unsupported: 12,
        reasons: [{ reason: 'missing_env' as const, detail: '', count: 80 }],
      },
    },
  ],
  ...COUNTS_EXAMPLE,
  updated_at: '2026-04-13T17:33:26.613Z',
  coverage_counted_at: '2026-04-13T17:45:00.000Z',
};

export const itemsContract = {
  list: operation({
    id: 'catalog.items.list',
    method: 'GET',
    path: '/api/marketplace/registry',
    summary: 'List the registry',
    description:
      'Listings of all providers, with filters, search, sorting and paging. `total_count` is exact and pages never overlap. The `Link` header has the next and previous page.',
    access: 'public',
    query: LIST_QUERY,
    examples: { search: 'weather', listing_type: 'server', sort: 'stars', limit: 10 },
    answers: {
      200: jsonAnswer('A page of the list.', ItemList, { items: [ITEM_EXAMPLE], total_count: 1, limit: 10, offset: 0 }),
    },
    problems: ['http.unavailable'],
  }),
  getStats: operation({
    id: 'catalog.items.getStats',
    method: 'GET',
    path: '/api/marketplace/registry/stats',
    summary: 'Get totals and sync status of the registry',
    description:
      'Number of listings by provider, type and class, the result of the last sync of each provider, and how many of its ' +
      'listings run here. Every filter value has a number, including 0.',
    access: 'public',
    answers: {
      200: jsonAnswer('The totals.', Stats, STATS_EXAMPLE),
    },
    problems: ['http.unavailable'],
  }),
  getSkillsMd: operation({
    id: 'catalog.items.getSkillsMd',
    method: 'GET',
    path: '/api/marketplace/skills.md',
    summary: 'Get the skills catalog as Markdown',
    description:
      'Skills as Markdown for language models: built-in and published skills first, then the registry. Takes the parameters ' +
      'of the list; `listing_type` defaults to `skill`. The text of listings is untrusted and escaped, so it contains ' +
      'no markup, links or HTML.',
    access: 'public',
    query: SKILLS_QUERY,
    examples: { search: 'pdf', limit: 5 },
    answers: {
      200: {
        description: 'A page of the catalog. `Link` has the next and previous page.',
        content: {
          'text/markdown': { schema: Type.String(), example: '# Skills\n\n1 to 5 of 42, by downloads.\n' },
        },
      },
    },
    problems: ['http.unavailable'],
  }),
  ...itemContract,
};
