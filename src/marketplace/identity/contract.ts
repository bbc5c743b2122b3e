import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { Because, ListingRef } from '#marketplace/listings/shapes.ts';

/** The part of the marketplace's contract by which operators say what is one thing and what is not. */

const closed = { additionalProperties: false };
const text = Type.String();
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For everybody to read.' });

export const IdentityAnswer = Type.Object({
  id: Type.String({ description: 'Of the capability that stands.' }),
  members: Type.Array(
    Type.Object({
      provider: text,
      external_id: text,
      capability_id: Type.String({ description: 'Its own, which redirects to the one that stands.' }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: '0 of one that is alone.' }),
      because: Because,
    }),
  ),
  history: Type.Array(
    Type.Object({
      is_same: Type.Boolean(),
      reason: text,
      at: Type.String({ format: 'date-time' }),
      listings: Type.Array(Type.Object({ provider: text, external_id: text }), {
        description: 'The two that were judged.',
      }),
    }),
    { description: 'What operators judged of its members, newest first.' },
  ),
});

const EXAMPLE = {
  id: LISTING_ID,
  members: [
    {
      provider: 'mcp-registry',
      external_id: 'io.github.ana/weather',
      capability_id: LISTING_ID,
      confidence: 1,
      because: [
        {
          with: { provider: 'smithery', external_id: 'ana/weather' },
          confidence: 1,
          evidence: [{ kind: 'operator', value: '', weight: 1 }],
          against: [],
        },
      ],
    },
  ],
  history: [
    {
      is_same: true,
      reason: 'Both are built from one repository.',
      at: '2026-04-14T06:00:00.000Z',
      listings: [
        { provider: 'mcp-registry', external_id: 'io.github.ana/weather' },
        { provider: 'smithery', external_id: 'ana/weather' },
      ],
    },
  ],
};
const answers = {
  200: {
    description: 'The capability as it now is. Lists and searches show it so within a second or two.',
    content: { 'application/json': { schema: IdentityAnswer, example: EXAMPLE } },
  },
};
const PROBLEMS = [
  'marketplace.not_found',
  'marketplace.operators_only',
  'marketplace.capability_unknown',
  'marketplace.status_unchanged',
];

export const identityContract = {
  merge: operation({
    id: 'marketplace.identity.merge',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/merge',
    summary: 'Merge two capabilities',
    description:
      'Says that two capabilities are one thing, whatever their evidence says. Holds until the opposite is said, also when ' +
      'their listings change. Never across listing types. For operators; written to the audit log.',
    access: 'jwt',
    params: Type.Object({ id: Id }),
    examples: { id: LISTING_ID },
    body: Type.Object(
      { with: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the other one.' }), reason: Reason },
      closed,
    ),
    body_example: { with: '0199a3c4-7d1e-7c2a-9b1f-000000000002', reason: 'Both are built from one repository.' },
    answers,
    problems: [...PROBLEMS, 'marketplace.type_differs'],
  }),
  split: operation({
    id: 'marketplace.identity.split',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/split',
    summary: 'Split a listing off a capability',
    description:
      'Says that one listing is not the same thing as the others of its capability, whatever the evidence says. It is a ' +
      'capability of its own again, under its own id. For operators; written to the audit log.',
    access: 'jwt',
    params: Type.Object({ id: Id }),
    examples: { id: LISTING_ID },
    body: Type.Object({ member: ListingRef, reason: Reason }, closed),
    body_example: { member: { provider: 'smithery', external_id: 'ana/weather' }, reason: 'A fork by somebody else.' },
    answers,
    problems: PROBLEMS,
  }),
};
