import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { LISTING_ID } from '#marketplace/listings/examples.ts';
import { CLAIM_EXAMPLE, CLAIM_ID, TO_DO_EXAMPLE } from '#marketplace/moderation/examples.ts';
import { CLAIM_METHODS } from './make-claim.ts';
import { OwnershipClaim, ToDo } from './shapes.ts';

/** Operations with which owners claim capabilities. */

export const CapabilityId = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description:
    'Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one.',
});

const closed = { additionalProperties: false };
const text = Type.String();
const params = Type.Object({
  id: CapabilityId,
  claim_id: Type.String({ minLength: 1, maxLength: 100, description: 'Claim id.' }),
});
const examples = { id: LISTING_ID, claim_id: CLAIM_ID };
const answer = (schema: object, example: unknown, description: string) =>
  jsonAnswer(description, schema as never, example);

const Signed = Type.Object(
  { wallet_type: text, wallet_address: text, signature: text },
  { ...closed, description: 'Signature of a linked wallet on `claim_text`. For wallet claims.' },
);
const CLAIMING = [
  'marketplace.not_found',
  'marketplace.claim_invalid',
  'http.invalid',
  'marketplace.name_conflict',
  'http.unavailable',
];
const VERIFYING = [
  'marketplace.not_found',
  'marketplace.claim_conflict',
  'marketplace.claim_invalid',
  'outbound.failed',
  'marketplace.forbidden',
  'http.invalid',
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
      'For the owner of a listed capability. Returns the content to add to a file in the repository of its ' +
      'listing (GitHub or GitLab), on the default branch. If the repository has several capabilities, put the file in the capability’s ' +
      'own folder. Then verify the claim. Unverified claims are private.',
    access: 'jwt',
    limit: 'claim',
    creates: true,
    params: Type.Object({ id: CapabilityId }),
    examples: { id: LISTING_ID },
    body: Type.Object(
      {
        method: Type.Enum([...CLAIM_METHODS], {
          description:
            '`repository_file`: the file contains a token. `wallet`: the file names a wallet, which signs the claim.',
        }),
        publisher: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 39,
            description: 'Publisher name to use. Required if the account has none.',
          }),
        ),
        folder: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 300,
            description: 'Folder of its SKILL.md, in a repository with several capabilities.',
          }),
        ),
      },
      closed,
    ),
    body_example: { method: 'repository_file', publisher: 'ana-lang' },
    answers: { 201: answer(ToDo, TO_DO_EXAMPLE, 'Instructions for the claim.') },
    problems: CLAIMING,
  }),
  verify: operation({
    id: 'marketplace.claims.verify',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/claims/{claim_id}/verify',
    summary: 'Verify a claim',
    description:
      'Fetches the file. If it confirms the claim, the capability shows the publisher. The file is checked every ' +
      'day, and the claim lapses after seven days without it. If another account holds a claim, the repository decides: ' +
      'that claim ends once its entry is removed from the file.',
    access: 'jwt',
    limit: 'claim',
    params,
    examples,
    body: Type.Object({ signed: Type.Optional(Signed) }, closed),
    body_example: {},
    answers: { 200: answer(OwnershipClaim, CLAIM_EXAMPLE, 'The verified claim.') },
    problems: VERIFYING,
  }),
  list: operation({
    id: 'marketplace.claims.list',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/claims',
    summary: 'List the claims of a capability',
    description: 'The active claim is public. With a credential, also your pending and ended claims.',
    access: 'optional',
    params: Type.Object({ id: CapabilityId }),
    examples: { id: LISTING_ID },
    answers: {
      200: answer(Type.Object({ items: Type.Array(OwnershipClaim) }), { items: [CLAIM_EXAMPLE] }, 'The claims.'),
    },
    problems: ['auth.token_required', 'marketplace.not_found'],
  }),
  revoke: operation({
    id: 'marketplace.claims.revoke',
    method: 'DELETE',
    path: '/api/marketplace/listings/{id}/claims/{claim_id}',
    summary: 'Revoke a claim',
    description: 'Ends a pending or verified claim. For its owner or an operator. Recorded in the history.',
    access: 'jwt',
    params,
    examples,
    answers: {
      200: answer(
        Type.Object({ id: text, status: Type.Literal('revoked') }),
        { id: CLAIM_ID, status: 'revoked' },
        'Claim revoked.',
      ),
    },
    problems: ['marketplace.not_found', 'marketplace.claim_conflict'],
  }),
};
