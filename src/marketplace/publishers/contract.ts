import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Claimed } from '#marketplace/claims/claimed-by.ts';
import { PUBLISHER_EXAMPLE, PUBLISHER_ID } from '#marketplace/listings/examples.ts';

/** Operations on publishers. */

export const publishersContract = {
  get: operation({
    id: 'marketplace.publishers.get',
    method: 'GET',
    path: '/api/marketplace/publishers/{id}',
    summary: 'Get a publisher',
    description:
      'A publisher and its listings. A name belongs permanently to one account. If that account was deleted, ' +
      '`closed_at` is set and the name is hidden.',
    access: 'public',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100, description: 'Id or name of the publisher.' }),
    }),
    examples: { id: PUBLISHER_ID },
    answers: {
      200: jsonAnswer(
        'The publisher.',
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          created_at: Type.String({ format: 'date-time' }),
          closed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
          listings: Type.Array(
            Type.Object({
              id: Type.String(),
              name: Type.String(),
              listing_type: Type.Enum([...LISTING_TYPES]),
              status: Type.Enum(['live', 'unpublished']),
              latest: Type.Union([Type.String(), Type.Null()]),
              taken_down: Type.Boolean(),
              updated_at: Type.String({ format: 'date-time' }),
            }),
            { description: 'Oldest first, including unpublished ones.' },
          ),
          claims: Type.Array(Claimed, { description: 'Claimed listings of providers.' }),
          totals: Type.Object({
            listings: Type.Integer({ description: 'Currently visible ones.' }),
            versions: Type.Integer(),
            claims: Type.Integer(),
          }),
          first_seen_at: Type.String({ format: 'date-time' }),
        }),
        PUBLISHER_EXAMPLE,
      ),
    },
    problems: ['marketplace.not_found'],
  }),
};
