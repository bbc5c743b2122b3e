import { AVAILABILITIES, AVAILABILITY_DESCRIPTION } from '#catalog/items/availability.ts';
import { EXECUTION_CLASSES, LISTING_TYPES } from '#catalog/items/kinds.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { Aided, AskedModels } from '#catalog/search/answer/aided-shape.ts';
import { LICENSE_GROUPS } from '#catalog/search/index/license-group.ts';
import { UPDATED } from '#catalog/search/query/filter.ts';
import { SEARCH_SORTS } from '#catalog/search/query/list-query.ts';
import { CATEGORIES } from '#catalog/search/text/categories.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SEARCH_EXAMPLE, STATS_EXAMPLE } from './examples-search.ts';
import { Listing, Resembles } from './shapes.ts';

/** Search and statistics of the marketplace. */

const text = Type.String();
const count = Type.Integer({ minimum: 0 });

const ANY_OF = (most: number) => ({ minItems: 1, maxItems: most, uniqueItems: true });

const SEARCH_ORDER = {
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      pattern: '\\S',
      description:
        'Words, a name, an author, an id, or a request in a sentence. Without it, everything that passes the filters.',
    }),
  ),
  as_typed: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Searches for the words as they are, without corrections and translations.',
    }),
  ),
  filters: Type.Optional(
    Type.Object(
      {
        provider: Type.Optional(
          Type.Enum([...SOURCES], { description: 'Only capabilities of this provider. `capstan`: published here.' }),
        ),
        listing_type: Type.Optional(Type.Enum([...LISTING_TYPES])),
        execution_class: Type.Optional(Type.Enum([...EXECUTION_CLASSES])),
        tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Exact tag, case-folded.' })),
        verified: Type.Optional(
          Type.Boolean({
            description: 'Only capabilities with level `reproduced` or `used` and without flags, or only the rest.',
          }),
        ),
        availability: Type.Optional(
          Type.Array(Type.Enum([...AVAILABILITIES]), {
            ...ANY_OF(AVAILABILITIES.length),
            description: AVAILABILITY_DESCRIPTION,
          }),
        ),
        confirmed: Type.Optional(
          Type.Boolean({
            description: 'Only capabilities whose publisher is confirmed (`publisher`), or only the rest.',
          }),
        ),
        level: Type.Optional(Type.Enum([...LEVELS], { description: 'Only capabilities with at least this level.' })),
        license: Type.Optional(
          Type.Array(Type.Enum([...LICENSE_GROUPS]), {
            ...ANY_OF(LICENSE_GROUPS.length),
            description:
              '`open_source`: another open source license. `other`: not known to be one. `none`: none is stated.',
          }),
        ),
        category: Type.Optional(
          Type.Enum([...CATEGORIES], {
            description:
              'What it is for, by the words of its name, tags and description. Not everything has a category.',
          }),
        ),
        updated: Type.Optional(
          Type.Enum([...UPDATED], {
            description: 'Only capabilities that a provider says were updated within this many days.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  copies_of: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Id of a result: only the matches with its text, each as a result.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...SEARCH_SORTS], {
      default: 'relevance',
      description:
        'The other fields are those of the list. Without a query, `relevance` is proof and use, and what has no description comes later.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Results per page.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Results to skip before the page.' })),
};

const NotLinked = Type.Integer({
  minimum: 0,
  description: 'Listings not yet linked and therefore missing from the results.',
});

const Explain = Type.Object(
  {
    words: Type.Array(
      Type.Object({ term: text, found: text, kind: text, fields: Type.Array(text), points: Type.Number() }),
    ),
    share: Type.Number({ description: 'Share of the query’s weight. Rare words weigh more.' }),
    least_share: Type.Number({ description: 'The minimum for a match.' }),
    name: Type.Number({ description: 'For an exact or whole-name match.' }),
    quality: Type.Object({ factor: Type.Number(), prior: Type.Number(), copies: count }),
    id: Type.Number(),
    aided: Type.Optional(Aided),
    order: Type.Union(
      [
        Type.Object({
          features: Type.Array(Type.Object({ feature: text, value: Type.Number(), points: Type.Number() })),
          lift: Type.Number(),
        }),
        Type.Null(),
      ],
      { description: 'The learned order of the first 64 by relevance: points by feature. Null in other orders.' },
    ),
  },
  {
    description:
      'score = (sum of points + name) × quality.factor + id + sum of order.features’ points + order.lift. ' +
      'Only with `explain=1`.',
  },
);

const Hit = Type.Object({
  ...Listing.properties,
  score: Type.Number({ description: 'Comparable within one response only.' }),
  tool: Type.Union([text, Type.Null()], {
    description: 'The tool of a server that fits the query best; null if none fits well. Untrusted text.',
  }),
  resembles: Resembles,
  copies: Type.Integer({
    minimum: 0,
    description:
      'Further matches with the same description or files, for which this one stands. `copies_of` lists them.',
  }),
  highlights: Type.Array(
    Type.Object({
      field: Type.String({ description: '`name`, `description`, `author` or `tags/<place>`.' }),
      ranges: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
        description: 'Start and end (exclusive) of each match in UTF-16 code units.',
      }),
    }),
  ),
  explain: Type.Optional(Explain),
});

const facet = <T extends object>(value: T) => Type.Array(Type.Object({ value: value as never, count }));

export const searchContract = {
  search: operation({
    id: 'marketplace.listings.search',
    method: 'POST',
    path: '/api/marketplace/search',
    summary: 'Search the marketplace',
    description:
      'Capabilities by relevance. Matches words, prefixes, inflections and synonyms in name, tags, author, ids, ' +
      'description and contents (tools of servers, instructions, names of files). Corrects words that nothing has (`corrected`), and searches for the English of a query in another ' +
      'language that matches little (`translated`), unless `as_typed` is true. A match covers enough of the ' +
      'query’s weight, in which rare words weigh more. Whole-name matches come first; proof and use break near ' +
      'ties. An exact name counts only for the official listing of a provider that reviews, for a name like its verified account’s, ' +
      'for much used capabilities and for proven ones, because anyone can take a name. Matches with the same text are one result (`copies`). ' +
      '`facets` count all matches with their copies, each without its own filter; a level counts those above it, and tags are the 20 ' +
      'most frequent, case-folded. `unmatched` lists words without any match.',
    access: 'public',
    query: Type.Object({
      explain: Type.Optional(Type.Enum(['1', '0'], { description: '`1`: explains the score of each result.' })),
    }),
    body: Type.Object(SEARCH_ORDER, { additionalProperties: false }),
    body_example: { query: 'postgres read only', filters: { listing_type: 'server' }, limit: 10 },
    examples: { explain: '0' },
    answers: {
      200: jsonAnswer(
        'One page, best match first.',
        Type.Object({
          items: Type.Array(Hit),
          total_count: Type.Integer({ minimum: 0, description: 'Results. Matches with the same text are one result.' }),
          with_copies: Type.Integer({ minimum: 0, description: 'Matching capabilities, copies included.' }),
          limit: count,
          offset: count,
          facets: Type.Object({
            provider: facet(Type.Enum([...SOURCES])),
            listing_type: facet(Type.Enum([...LISTING_TYPES])),
            execution_class: facet(Type.Enum([...EXECUTION_CLASSES])),
            tag: facet(text),
            verified: facet(Type.Boolean()),
            availability: facet(Type.Enum([...AVAILABILITIES])),
            confirmed: facet(Type.Boolean()),
            level: facet(Type.Enum([...LEVELS])),
            license: facet(Type.Enum([...LICENSE_GROUPS])),
            category: facet(Type.Enum([...CATEGORIES])),
            updated: facet(Type.Enum([...UPDATED])),
          }),
          corrected: Type.Array(Type.Object({ from: text, to: text })),
          translated: Type.Array(Type.Object({ from: text, to: text })),
          unmatched: Type.Array(text),
          not_linked: NotLinked,
          models: Type.Optional(AskedModels),
        }),
        SEARCH_EXAMPLE,
      ),
    },
    problems: ['http.unavailable'],
  }),
  getStats: operation({
    id: 'marketplace.listings.getStats',
    method: 'GET',
    path: '/api/marketplace/stats',
    summary: 'Get marketplace statistics',
    description:
      'Counts of capabilities, their listings, active publishers, runs of the last 24 hours with ' +
      'a receipt, and capabilities by verification level.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'The current statistics.',
        Type.Object({
          capabilities: count,
          listings: count,
          not_linked: NotLinked,
          publishers: count,
          runs_24h: count,
          verified: Type.Integer({
            minimum: 0,
            description: 'Capabilities reproduced here or used by independent accounts, without flags.',
          }),
          by_listing_type: Type.Object(Object.fromEntries(LISTING_TYPES.map((listingType) => [listingType, count]))),
          by_execution_class: Type.Object(Object.fromEntries(EXECUTION_CLASSES.map((className) => [className, count]))),
          by_provider: Type.Object(Object.fromEntries(SOURCES.map((source) => [source, count])), {
            description: 'Capabilities per provider. A capability can have several providers.',
          }),
          by_level: Type.Object(Object.fromEntries(LEVELS.map((level) => [level, count]))),
        }),
        STATS_EXAMPLE,
      ),
    },
    problems: ['http.unavailable'],
  }),
};
