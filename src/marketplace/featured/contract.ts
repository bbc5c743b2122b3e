import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CapabilityId } from '#marketplace/claims/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { FEATURED_EXAMPLE } from '#marketplace/moderation/examples.ts';
import { FeaturedItem } from './shown.ts';

/** The part of the marketplace's contract that shows what is featured. */

const params = Type.Object({ id: CapabilityId });
const examples = { id: LISTING_ID };
const list = {
  200: {
    description: 'What is featured, in its order.',
    content: {
      'application/json': {
        schema: Type.Object({ items: Type.Array(FeaturedItem) }),
        example: { items: [FEATURED_EXAMPLE] },
      },
    },
  },
};
const FEATURING = [
  'marketplace.operators_only',
  'marketplace.capability_not_found',
  'marketplace.measure_stands',
  'marketplace.not_shown',
  'marketplace.until_past',
];

export const featuredContract = {
  list: operation({
    id: 'marketplace.featured.list',
    method: 'GET',
    path: '/api/marketplace/featured',
    summary: 'List what is featured',
    description:
      'What operators chose, then the rest by proof: best verification level first, then the hottest, one of each publisher or ' +
      'author, types in turn. Never by popularity elsewhere, and never what is flagged. Where little ran here yet, skills ' +
      'that the service itself carries and can run now follow. Each has its reason.',
    access: 'public',
    answers: list,
    problems: [],
  }),
  add: operation({
    id: 'marketplace.featured.add',
    method: 'PUT',
    path: '/api/marketplace/featured/{id}',
    summary: 'Feature a capability (operators)',
    description:
      'Puts it into what is featured, with a reason for everybody to read; again changes its reason and place.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object(
      {
        reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For everybody to read.' }),
        position: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10_000, description: 'Lower ones come first; 100 where left out.' }),
        ),
        until: Type.Optional(Type.String({ format: 'date-time', description: 'For good where left out.' })),
      },
      { additionalProperties: false },
    ),
    body_example: { reason: 'It counts words in any script.', position: 1 },
    answers: {
      200: {
        description: 'As it is shown.',
        content: { 'application/json': { schema: FeaturedItem, example: FEATURED_EXAMPLE } },
      },
    },
    problems: FEATURING,
  }),
  remove: operation({
    id: 'marketplace.featured.remove',
    method: 'DELETE',
    path: '/api/marketplace/featured/{id}',
    summary: 'Stop featuring a capability (operators)',
    description: 'Takes what an operator chose out of what is featured. By proof it may still be there later.',
    access: 'jwt',
    params,
    examples,
    answers: list,
    problems: ['marketplace.operators_only', 'marketplace.capability_not_found', 'marketplace.not_featured'],
  }),
};
