import { EXECUTION_CLASSES, LISTING_TYPES } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import { LISTING_ID, ORDER_EXAMPLE, PUBLISHED_EXAMPLE, WITHDRAWN_EXAMPLE } from '#marketplace/listings/examples.ts';
import { PUBLISH_ORDER } from '#marketplace/listings/order-shape.ts';
import { Claim, Findings, VersionSummary } from '#marketplace/listings/shapes.ts';

/** Operations that publish and withdraw. */

const closed = { additionalProperties: false };
const text = Type.String();

export const PublishedAnswer = Type.Object({
  published: Type.Boolean({ description: 'False for a dry run.' }),
  id: Type.Union([text, Type.Null()], { description: 'Listing id. Null for a dry run.' }),
  name: text,
  version: text,
  license: text,
  digest: text,
  listing_type: Type.Enum([...LISTING_TYPES]),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  files: Type.Array(Type.Object({ path: text, size: Type.Integer(), sha256: text })),
  findings: Findings,
  claim: Type.Union([Claim, Type.Null()]),
  claim_text: Type.String({ description: 'Text for a wallet to sign to claim this version.' }),
  links: Type.Union([Type.Object({ self: text, listing: text, files: text }), Type.Null()]),
});
const published = (description: string, example: unknown) => jsonAnswer(description, PublishedAnswer, example);

const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Public.' });
const Version = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Only this version. Defaults to all versions.' }),
);

export const WithdrawnAnswer = Type.Object({
  id: text,
  name: text,
  status: Type.Enum(['live', 'unpublished']),
  latest: Type.Union([text, Type.Null()]),
  changed: Type.Array(text, { description: 'The changed versions.' }),
  versions: Type.Array(VersionSummary),
});

const withdrawn = {
  200: jsonAnswer('The new status of the listing.', WithdrawnAnswer, WITHDRAWN_EXAMPLE),
};
const WITHDRAWING = [
  'marketplace.not_found',
  'marketplace.forbidden',
  'marketplace.gone',
  'marketplace.version_conflict',
] as const;
const PUBLISHING = [
  'http.invalid',
  'marketplace.name_conflict',
  'marketplace.version_conflict',
  'marketplace.files_invalid',
  'http.unavailable',
  'marketplace.claim_invalid',
  'marketplace.forbidden',
  'marketplace.limit_exceeded',
  'users.quota_exceeded',
  'marketplace.gone',
  'auth.rpc_required',
  'auth.rpc_failed',
  'rigs.conflict',
  'rigs.invalid',
  'http.limit_exceeded',
];

const params = Type.Object({ id: Id });
const examples = { id: LISTING_ID };

export const publishingContract = {
  publish: operation({
    id: 'marketplace.publishing.publish',
    method: 'POST',
    path: '/api/marketplace/listings',
    summary: 'Publish a skill, harness or rig',
    description:
      'Publishes a version of a directory with SKILL.md, HARNESS.md or rig.yaml. Versions are immutable. ' +
      'Only format errors prevent publishing: secrets, dangerous commands and prompt injection are ' +
      'reported in public `findings`. A name that can be confused with a known one is ' +
      'rejected. `claim` is a linked wallet’s signature on `claim_text`, which `dry_run` returns.',
    access: 'jwt',
    limit: 'publish',
    creates: true,
    body: Type.Object(PUBLISH_ORDER, closed),
    body_example: ORDER_EXAMPLE,
    answers: {
      200: published('Dry run. Nothing was published.', {
        ...PUBLISHED_EXAMPLE,
        published: false,
        id: null,
        links: null,
      }),
      201: published('The published version.', PUBLISHED_EXAMPLE),
    },
    problems: PUBLISHING,
  }),
  unpublish: operation({
    id: 'marketplace.publishing.unpublish',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/unpublish',
    summary: 'Unpublish a listing',
    description:
      'Removes the listing from lists, searches and runs, and deletes files that no other listing uses. ' +
      'You keep its name, versions cannot be reused, and names, versions and digests are kept: receipts of ' +
      'runs remain verifiable. A higher version restores the listing. For its publisher or an operator.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object({ reason: Reason }, closed),
    body_example: { reason: 'A key was left in a file.' },
    answers: withdrawn,
    problems: WITHDRAWING,
  }),
  yank: operation({
    id: 'marketplace.publishing.yank',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/yank',
    summary: 'Yank versions',
    description:
      'A yanked version is available only by pinned digest: it is never `latest`, cannot start new tasks, and ' +
      'its files require `digest`. For its publisher or an operator.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object({ reason: Reason, version: Version }, closed),
    body_example: { reason: 'It loses words.', version: '1.0.0' },
    answers: withdrawn,
    problems: WITHDRAWING,
  }),
  deprecate: operation({
    id: 'marketplace.publishing.deprecate',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/deprecate',
    summary: 'Deprecate versions',
    description:
      'A deprecated version still works and is shown with the reason; `latest` prefers live versions. For its publisher or ' +
      'an operator.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object({ reason: Reason, version: Version }, closed),
    body_example: { reason: 'Use count-text instead.' },
    answers: withdrawn,
    problems: WITHDRAWING,
  }),
  restore: operation({
    id: 'marketplace.publishing.restore',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/restore',
    summary: 'Restore versions',
    description:
      'Makes yanked and deprecated versions live again, recorded in the history with the reason. Unpublished versions cannot ' +
      'be restored. For its publisher, except versions that an operator withdrew, or an operator.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object({ reason: Reason, version: Version }, closed),
    body_example: { reason: 'It loses no words after all.', version: '1.0.0' },
    answers: withdrawn,
    problems: [...WITHDRAWING, 'marketplace.forbidden'],
  }),
};
