import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Claimed } from '#marketplace/claims/claimed-by.ts';
import { OwnershipClaim } from '#marketplace/claims/shapes.ts';
import { OWN_PUBLISHER_EXAMPLE, PUBLISHER_EXAMPLE, PUBLISHER_ID } from '#marketplace/listings/examples.ts';
import { AppealShape } from '#marketplace/moderation/shapes.ts';

/** Operations on publishers. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const OwnListing = Type.Object({
  id: text,
  name: text,
  listing_type: Type.Enum([...LISTING_TYPES]),
  status: Type.Enum(['live', 'unpublished']),
  latest: Type.Union([text, Type.Null()]),
  versions: count('All of them, also withdrawn ones.'),
  taken_down: Type.Boolean(),
  updated_at: time,
  runs: count('With a receipt, within 90 days.'),
  completed_runs: count('Those of them that succeeded.'),
  last_run_at: timeOrNull,
  findings: count('Of the static checks, in the shown version.'),
  open_reports: count('Reports that no operator has decided. Who reported is not said.'),
  flags: count('Active flags.'),
  trusted_publishers: count('CI workflows that may publish it.'),
});

export const Attention = Type.Object({
  kind: Type.Enum(['taken_down', 'flagged', 'claim_failing', 'reported', 'claim_pending', 'findings']),
  id: Type.String({ description: 'Of the capability.' }),
  name: text,
  detail: Type.String({ description: 'Reasons of operators are untrusted text.' }),
  at: time,
  measure_id: Type.Union([text, Type.Null()], { description: 'The action to appeal.' }),
});

export const publishersContract = {
  getOwn: operation({
    id: 'marketplace.publishers.getOwn',
    method: 'GET',
    path: '/api/marketplace/publisher',
    summary: 'Get your own publisher',
    description:
      'Everything about what you publish and have claimed: runs, findings, open reports, flags, claims and appeals. ' +
      '`attention` lists what needs an answer, the most urgent first, at most 100.',
    access: 'jwt',
    answers: {
      200: jsonAnswer(
        'Your publisher. Null until you first publish or claim.',
        Type.Object({
          publisher: Type.Union([Type.Object({ id: text, name: text }), Type.Null()]),
          attention: Type.Array(Attention),
          listings: Type.Array(OwnListing, { description: 'Oldest first, including unpublished ones.' }),
          claims: Type.Array(
            Type.Object({ ...OwnershipClaim.properties, name: Type.String({ description: 'Empty if unknown.' }) }),
            { description: 'Pending, verified and lapsed ones, oldest first.' },
          ),
          appeals: Type.Array(AppealShape, { description: 'Oldest first; at most 100.' }),
        }),
        OWN_PUBLISHER_EXAMPLE,
      ),
    },
    problems: [],
  }),
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
