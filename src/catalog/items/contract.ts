import { SORTS } from '#catalog/search/index/segment.ts';
import { SYNC_STATUSES } from '#catalog/sync/sync-states.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { itemContract } from './contract-item.ts';
import { ITEM_EXAMPLE } from './examples.ts';
import { Item } from './item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from './kinds.ts';

/** The registry feature as data. */

const LIST_QUERY = Type.Object({
  provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only listings of this provider.' })),
  listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only listings of this type.' })),
  execution_class: Type.Optional(Type.Enum([...EXECUTION_CLASSES], { description: 'Only listings of this class.' })),
  tag: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only listings with exactly this tag; case and accents do not matter.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 400,
      description:
        'Terms parted by white space. Each must occur within a word of name, description or author; case and accents do not matter.',
    }),
  ),
  sort: Type.Enum([...SORTS], {
    default: 'downloads',
    description: 'Downloads, stars and time of update from the greatest down, name from A on. Equal ones by name.',
  }),
  ...pageQuery('Listings'),
});

export const ListItem = Type.Object(
  {
    ...Item.properties,
    flagged: Type.Optional(
      Type.Literal(true, {
        description:
          'Something is held against it: by the checks, a provider or an operator. Left out of others. While the header ' +
          '`X-Capstan-Index` says `building`, not all are known.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const ItemList = pageOf(ListItem);

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
    }),
  ),
  ...byFilter,
  updated_at: Time,
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
    },
  ],
  ...COUNTS_EXAMPLE,
  updated_at: '2026-04-13T17:33:26.613Z',
};

export const itemsContract = {
  list: operation({
    id: 'catalog.items.list',
    method: 'GET',
    path: '/api/marketplace/registry',
    summary: 'List the registry',
    description:
      'Listings of all providers, filtered, searched, sorted and paged. `total_count` is exact and pages never overlap. The `Link` header holds the next and the previous page.',
    access: 'public',
    query: LIST_QUERY,
    examples: { search: 'weather', listing_type: 'server', sort: 'stars', limit: 10 },
    answers: {
      200: jsonAnswer('A page of the list.', ItemList, { items: [ITEM_EXAMPLE], total_count: 1, limit: 10, offset: 0 }),
    },
    problems: ['registry.warming_up'],
  }),
  getStats: operation({
    id: 'catalog.items.getStats',
    method: 'GET',
    path: '/api/marketplace/registry/stats',
    summary: 'Totals and sync status of the registry',
    description:
      'How many listings there are by provider, type and class, and how the last sync of each provider ended. ' +
      'Every value of a filter has its number, 0 included.',
    access: 'public',
    answers: {
      200: jsonAnswer('The totals.', Stats, STATS_EXAMPLE),
    },
    problems: ['registry.warming_up'],
  }),
  getSkillsMd: operation({
    id: 'catalog.items.getSkillsMd',
    method: 'GET',
    path: '/api/marketplace/skills.md',
    summary: 'The skills catalogue in Markdown',
    description:
      'Every skill as Markdown, for language models: those of this service and those published here first, then the list ' +
      'of the registry. The same parameters as the list, with `listing_type=skill` unless given. ' +
      'The text of listings is written by strangers and is escaped: it brings no markup, no link and no HTML of its own.',
    access: 'public',
    query: SKILLS_QUERY,
    examples: { search: 'pdf', limit: 5 },
    answers: {
      200: {
        description: 'A page of the catalogue. `Link` names the next and the previous page.',
        content: {
          'text/markdown': { schema: Type.String(), example: '# Skills\n\n1 to 5 of 42, by downloads.\n' },
        },
      },
    },
    problems: ['registry.warming_up'],
  }),
  ...itemContract,
};
