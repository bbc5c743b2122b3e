import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { CLAIM_EXAMPLE, CLAIM_ID, TO_DO_EXAMPLE } from '#marketplace/moderation/examples.ts';
import { CLAIM_METHODS } from './make-claim.ts';
import { OwnershipClaim, ToDo } from './shapes.ts';

/** The part of the marketplace's contract by which owners claim what providers list. */

export const CapabilityId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Id of the capability; one that is merged into another stands for that.',
});

const closed = { additionalProperties: false };
const text = Type.String();
const params = Type.Object({
  id: CapabilityId,
  claim_id: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the claim.' }),
});
const examples = { id: LISTING_ID, claim_id: CLAIM_ID };
const answer = (schema: object, example: unknown, description: string) => ({
  description,
  content: { 'application/json': { schema: schema as never, example } },
});

const Signed = Type.Object(
  { wallet_type: text, wallet_address: text, signature: text },
  { ...closed, description: 'A linked wallet’s signature on `claim_text`; for claims by wallet.' },
);
const CLAIMING = [
  'marketplace.capability_not_found',
  'marketplace.claim_place_unclear',
  'marketplace.claim_folder_needed',
  'marketplace.publisher_needed',
  'marketplace.publisher_differs',
  'marketplace.name_malformed',
  'marketplace.name_reserved',
  'marketplace.name_taken',
  'marketplace.name_alike',
  'registry.warming_up',
];
const VERIFYING = [
  'marketplace.capability_not_found',
  'marketplace.claim_not_found',
  'marketplace.claim_ended',
  'marketplace.claim_held',
  'marketplace.claim_file_absent',
  'marketplace.claim_file_unreachable',
  'marketplace.claim_signature_needed',
  'marketplace.claim_skill_differs',
  'marketplace.claim_refused',
  'marketplace.claim_other_wallet',
  'auth.wallet_address_malformed',
  'auth.rpc_required',
  'auth.rpc_failed',
];

export const claimsContract = {
  create: operation({
    id: 'marketplace.claims.create',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/claims',
    summary: 'Claim a capability',
    description:
      'For the owner of something that a provider lists. Answers what to put into which file of the repository that its ' +
      'listing names (GitHub or GitLab), on the default branch; in a repository of several the file stands in the capability’s ' +
      'own folder. Then verify the claim. Nothing is shown of it before.',
    access: 'jwt',
    limit: 'claim',
    creates: true,
    params: Type.Object({ id: CapabilityId }),
    examples: { id: LISTING_ID },
    body: Type.Object(
      {
        method: Type.Enum([...CLAIM_METHODS], {
          description: '`repository_file`: the file holds a token. `wallet`: the file names a wallet, which signs.',
        }),
        publisher: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 39,
            description: 'The name to claim it under, of an account that has none.',
          }),
        ),
        folder: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 300,
            description: 'Where its SKILL.md is, in a repository of several.',
          }),
        ),
      },
      closed,
    ),
    body_example: { method: 'repository_file', publisher: 'ana-lang' },
    answers: { 201: answer(ToDo, TO_DO_EXAMPLE, 'What to do.') },
    problems: CLAIMING,
  }),
  verify: operation({
    id: 'marketplace.claims.verify',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/claims/{claim_id}/verify',
    summary: 'Verify a claim',
    description:
      'Looks at the file. Where it says so, the capability shows the publisher from then on; the file is looked at again each ' +
      'day, and the claim lapses after seven days without it. Where another account’s claim stands, the repository decides: ' +
      'it gives way once its entry is gone from the file.',
    access: 'jwt',
    limit: 'claim',
    params,
    examples,
    body: Type.Object({ signed: Type.Optional(Signed) }, closed),
    body_example: {},
    answers: { 200: answer(OwnershipClaim, CLAIM_EXAMPLE, 'The claim stands.') },
    problems: VERIFYING,
  }),
  list: operation({
    id: 'marketplace.claims.list',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/claims',
    summary: 'List the claims of a capability',
    description:
      'The claim that stands, for everybody; with a credential all of one’s own, waiting and ended ones too.',
    access: 'optional',
    params: Type.Object({ id: CapabilityId }),
    examples: { id: LISTING_ID },
    answers: {
      200: answer(Type.Object({ items: Type.Array(OwnershipClaim) }), { items: [CLAIM_EXAMPLE] }, 'The claims.'),
    },
    problems: ['auth.token_missing', 'marketplace.capability_not_found'],
  }),
  revoke: operation({
    id: 'marketplace.claims.revoke',
    method: 'DELETE',
    path: '/api/marketplace/listings/{id}/claims/{claim_id}',
    summary: 'Revoke a claim',
    description: 'Ends a claim, waiting or verified: by whoever made it, or an operator. The history shows it.',
    access: 'jwt',
    params,
    examples,
    answers: {
      200: answer(
        Type.Object({ id: text, status: Type.Literal('revoked') }),
        { id: CLAIM_ID, status: 'revoked' },
        'It is over.',
      ),
    },
    problems: ['marketplace.capability_not_found', 'marketplace.claim_not_found', 'marketplace.claim_ended'],
  }),
};
