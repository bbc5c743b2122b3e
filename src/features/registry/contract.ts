import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { SORTS } from './catalog/segment.ts';
import { EXECUTION_CLASSES, Item, LISTING_TYPES, PROVIDERS } from './item.ts';

/** The registry feature as data. */

export const LIST_QUERY = Type.Object({
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
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Listings on a page.' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Listings to skip before the page.' }),
});

export const ItemList = Type.Object({
  items: Type.Array(Item),
  total_count: Type.Integer({ minimum: 0, description: 'How many listings match, on all pages.' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
});

export const ITEM_EXAMPLE: Item = {
  name: 'weather',
  description: 'Forecasts and warnings for any place on earth.',
  version: '1.4.0',
  author: 'Example Weather Office',
  homepage: 'https://weather.example',
  downloads: 1520,
  stars: 87,
  tags: ['remote', 'weather'],
  source: 'mcp-registry',
  listing_type: 'server',
  external_id: 'example.weather/forecast',
  provider_id: 'mcp-registry',
  external_updated_at: '2026-04-13T17:33:26.613Z',
  execution_class: 'mcp',
};

export const registryContract = {
  listItems: operation({
    id: 'registry.listItems',
    method: 'GET',
    path: '/api/marketplace/registry',
    summary: 'List the registry',
    description:
      'Listings of all providers, filtered, searched, sorted and paged. `total_count` is exact and pages never overlap. The `Link` header holds the next and the previous page.',
    access: 'public',
    query: LIST_QUERY,
    examples: { search: 'weather', listing_type: 'server', sort: 'stars', limit: 10 },
    answers: {
      200: {
        description: 'A page of the list.',
        content: {
          'application/json': {
            schema: ItemList,
            example: { items: [ITEM_EXAMPLE], total_count: 1, limit: 10, offset: 0 },
          },
        },
      },
    },
    problems: ['registry.warming_up'],
  }),
};
