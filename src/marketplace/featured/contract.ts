import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CapabilityId } from '#marketplace/claims/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { FEATURED_EXAMPLE } from '#marketplace/moderation/examples.ts';
import { FeaturedItem } from './shown.ts';

/** Operations on featured capabilities. */

const params = Type.Object({ id: CapabilityId });
const examples = { id: LISTING_ID };
const list = {
  200: jsonAnswer('Featured capabilities, in display order.', Type.Object({ items: Type.Array(FeaturedItem) }), {
    items: [FEATURED_EXAMPLE],
  }),
};
const FEATURING = [
  'marketplace.operator_required',
  'marketplace.not_found',
  'marketplace.moderation_conflict',
  'http.invalid',
];

export const featuredContract = {
  list: operation({
    id: 'marketplace.featured.list',
    method: 'GET',
    path: '/api/marketplace/featured',
    summary: 'List featured capabilities',
    description:
      'Operators’ choices first, then by verification level and hot score, at most one per publisher or ' +
      'author, alternating types. Popularity elsewhere does not count, and flagged capabilities are excluded. If few have run here, ' +
      'built-in skills that can run now follow. Each has a reason.',
    access: 'public',
    answers: list,
    problems: [],
  }),
  add: operation({
    id: 'marketplace.featured.add',
    method: 'PUT',
    path: '/api/marketplace/featured/{id}',
    summary: 'Feature a capability (operators)',
    description: 'Adds it to the featured list with a public reason. Repeat the request to change reason and position.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object(
      {
        reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Public.' }),
        position: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10_000, description: 'Lower values come first. Defaults to 100.' }),
        ),
        until: Type.Optional(Type.String({ format: 'date-time', description: 'No end if omitted.' })),
      },
      { additionalProperties: false },
    ),
    body_example: { reason: 'It counts words in any script.', position: 1 },
    answers: {
      200: jsonAnswer('The featured entry.', FeaturedItem, FEATURED_EXAMPLE),
    },
    problems: FEATURING,
  }),
  remove: operation({
    id: 'marketplace.featured.remove',
    method: 'DELETE',
    path: '/api/marketplace/featured/{id}',
    summary: 'Stop featuring a capability (operators)',
    description: 'Removes an operator’s choice from the featured list. It may still be featured by proof.',
    access: 'jwt',
    params,
    query: Type.Object({
      reason: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For the audit log.' }),
      ),
    }),
    examples,
    answers: list,
    problems: ['marketplace.operator_required', 'marketplace.not_found'],
  }),
};
