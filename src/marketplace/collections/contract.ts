import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CapabilityId } from '#marketplace/claims/contract.ts';
import { FeaturedItem } from '#marketplace/featured/shown.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { FEATURED_EXAMPLE, MEASURE_ID } from '#marketplace/moderation/examples.ts';

/** Operations on collections: capabilities that operators put together. */

const MOST_LISTINGS = 100;

const closed = { additionalProperties: false };
const { reason: _, ...LISTED } = FeaturedItem.properties;
const { reason: __, ...LISTED_EXAMPLE } = FEATURED_EXAMPLE;
const time = Type.String({ format: 'date-time' });
const AT = '2026-04-14T06:00:00.000Z';

const Slug = Type.String({
  pattern: '^[a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,5}$',
  maxLength: 80,
  description: 'Its name in addresses: lowercase words, joined by hyphens.',
});
const params = Type.Object({ slug: Slug });
const examples = { slug: 'documents' };
const revision = Type.String({ maxLength: 100, description: 'The one that you saw; empty for a new collection.' });
const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For the audit log.' });

const BRIEF = {
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  position: Type.Integer({ description: 'Lower values come first.' }),
  count: Type.Integer({ minimum: 0, description: 'How many capabilities it shows.' }),
  revision: Type.String({ description: 'Send it with a change.' }),
  updated_at: time,
};
const BRIEF_EXAMPLE = {
  slug: 'documents',
  title: 'Work with documents',
  description: 'Read, convert and count what is in files.',
  position: 1,
  count: 1,
  revision: MEASURE_ID,
  updated_at: AT,
};

const Whole = Type.Object({ ...BRIEF, items: Type.Array(Type.Object(LISTED)) });
const whole = (description: string) => ({
  200: jsonAnswer(description, Whole, { ...BRIEF_EXAMPLE, items: [LISTED_EXAMPLE] }),
});

export const collectionsContract = {
  list: operation({
    id: 'marketplace.collections.list',
    method: 'GET',
    path: '/api/marketplace/collections',
    summary: 'List collections',
    description: 'Capabilities that operators of this service put together, in their order, at most 100 collections.',
    access: 'public',
    answers: {
      200: jsonAnswer('The collections.', Type.Object({ items: Type.Array(Type.Object(BRIEF)) }), {
        items: [BRIEF_EXAMPLE],
      }),
    },
    problems: [],
  }),
  get: operation({
    id: 'marketplace.collections.get',
    method: 'GET',
    path: '/api/marketplace/collections/{slug}',
    summary: 'Get a collection',
    description: 'A collection with its capabilities. Those that are flagged, taken down or gone are left out.',
    access: 'public',
    params,
    examples,
    answers: whole('The collection.'),
    problems: ['marketplace.not_found'],
  }),
  save: operation({
    id: 'marketplace.collections.save',
    method: 'PUT',
    path: '/api/operator/collections/{slug}',
    summary: 'Create or change a collection (operators)',
    description:
      'Replaces the collection and its list. `revision` must be the current one, or empty for a new collection. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    params,
    examples,
    body: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
        description: Type.String({ maxLength: 300, description: 'One sentence below the title.' }),
        position: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10_000, description: 'Lower values come first. Defaults to 100.' }),
        ),
        listings: Type.Array(CapabilityId, {
          maxItems: MOST_LISTINGS,
          uniqueItems: true,
          description: 'Its capabilities, in display order.',
        }),
        revision,
        reason,
      },
      closed,
    ),
    body_example: {
      title: BRIEF_EXAMPLE.title,
      description: BRIEF_EXAMPLE.description,
      listings: [LISTING_ID],
      revision: '',
      reason: 'Asked for often.',
    },
    answers: whole('The collection as it is now.'),
    problems: ['marketplace.not_found', 'marketplace.collection_conflict', 'http.invalid'],
  }),
  remove: operation({
    id: 'marketplace.collections.remove',
    method: 'DELETE',
    path: '/api/operator/collections/{slug}',
    summary: 'Remove a collection (operators)',
    description: 'Its capabilities stay. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    params,
    query: Type.Object({
      revision: Type.String({ minLength: 1, maxLength: 100, description: 'The one that you saw.' }),
      reason,
    }),
    examples: { ...examples, revision: MEASURE_ID, reason: 'Out of date.' },
    answers: {
      200: jsonAnswer('The remaining collections.', Type.Object({ items: Type.Array(Type.Object(BRIEF)) }), {
        items: [],
      }),
    },
    problems: ['marketplace.not_found', 'marketplace.collection_conflict'],
  }),
} as const;
