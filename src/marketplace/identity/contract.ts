import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { Because, ListingRef } from '#marketplace/listings/shapes.ts';

/** Operations with which operators merge and split capabilities. */

const closed = { additionalProperties: false };
const text = Type.String();
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Public.' });

export const IdentityAnswer = Type.Object({
  id: Type.String({ description: 'Id of the current capability.' }),
  members: Type.Array(
    Type.Object({
      provider: text,
      external_id: text,
      capability_id: Type.String({ description: 'Its own id, which redirects to the current one.' }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: '0 if it has no other members.' }),
      because: Because,
    }),
  ),
  history: Type.Array(
    Type.Object({
      is_same: Type.Boolean(),
      reason: text,
      at: Type.String({ format: 'date-time' }),
      listings: Type.Array(Type.Object({ provider: text, external_id: text }), {
        description: 'The two listings that were compared.',
      }),
    }),
    { description: 'Operator decisions on its members, newest first.' },
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
  200: jsonAnswer(
    'The updated capability. Lists and searches show the change within two seconds.',
    IdentityAnswer,
    EXAMPLE,
  ),
};
const PROBLEMS = [
  'marketplace.not_found',
  'marketplace.operator_required',
  'marketplace.capability_invalid',
  'marketplace.version_conflict',
];

export const identityContract = {
  merge: operation({
    id: 'marketplace.identity.merge',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/merge',
    summary: 'Merge two capabilities',
    description:
      'Declares two capabilities identical, whatever their evidence. Applies until reversed, also when ' +
      'their listings change. Both must have the same listing type. Operators only; recorded in the audit log.',
    access: 'jwt',
    params: Type.Object({ id: Id }),
    examples: { id: LISTING_ID },
    body: Type.Object(
      {
        with: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the other capability.' }),
        reason: Reason,
      },
      closed,
    ),
    body_example: { with: '0199a3c4-7d1e-7c2a-9b1f-000000000002', reason: 'Both are built from one repository.' },
    answers,
    problems: [...PROBLEMS, 'marketplace.version_conflict'],
  }),
  split: operation({
    id: 'marketplace.identity.split',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/split',
    summary: 'Split a listing off a capability',
    description:
      'Declares that a listing does not belong to its capability, whatever the evidence. It becomes a ' +
      'separate capability with its own id. Operators only; recorded in the audit log.',
    access: 'jwt',
    params: Type.Object({ id: Id }),
    examples: { id: LISTING_ID },
    body: Type.Object({ member: ListingRef, reason: Reason }, closed),
    body_example: { member: { provider: 'smithery', external_id: 'ana/weather' }, reason: 'A fork by another author.' },
    answers,
    problems: PROBLEMS,
  }),
};
