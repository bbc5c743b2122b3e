import { EXECUTION_CLASSES, LISTING_TYPES } from '#catalog/items/kinds.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import { LISTING_ID, ORDER_EXAMPLE, PUBLISHED_EXAMPLE, WITHDRAWN_EXAMPLE } from '#marketplace/listings/examples.ts';
import { PUBLISH_ORDER } from '#marketplace/listings/order-shape.ts';
import { Claim, Findings, VersionSummary } from '#marketplace/listings/shapes.ts';

/** The part of the marketplace's contract that publishes and takes back. */

const closed = { additionalProperties: false };
const text = Type.String();

export const PublishedAnswer = Type.Object({
  published: Type.Boolean({ description: 'False after a dry run.' }),
  id: Type.Union([text, Type.Null()], { description: 'Id of the listing; null after a dry run.' }),
  name: text,
  version: text,
  license: text,
  digest: text,
  listing_type: Type.Enum([...LISTING_TYPES]),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  files: Type.Array(Type.Object({ path: text, size: Type.Integer(), sha256: text })),
  findings: Findings,
  claim: Type.Union([Claim, Type.Null()]),
  claim_text: Type.String({ description: 'What a wallet signs to claim exactly this version.' }),
  links: Type.Union([Type.Object({ self: text, listing: text, files: text }), Type.Null()]),
});
const published = (description: string, example: unknown) => ({
  description,
  content: { 'application/json': { schema: PublishedAnswer, example } },
});

const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For everybody to read.' });
const Version = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'This one alone; every version where left out.' }),
);

export const WithdrawnAnswer = Type.Object({
  id: text,
  name: text,
  status: Type.Enum(['live', 'unpublished']),
  latest: Type.Union([text, Type.Null()]),
  changed: Type.Array(text, { description: 'The versions that were changed.' }),
  versions: Type.Array(VersionSummary),
});

const withdrawn = {
  200: {
    description: 'What the listing is now.',
    content: {
      'application/json': {
        schema: WithdrawnAnswer,
        example: WITHDRAWN_EXAMPLE,
      },
    },
  },
};
const WITHDRAWING = [
  'marketplace.not_found',
  'marketplace.not_yours',
  'marketplace.listing_unpublished',
  'marketplace.version_not_found',
  'marketplace.status_unchanged',
] as const;
const PUBLISHING = [
  'marketplace.name_malformed',
  'marketplace.name_reserved',
  'marketplace.name_alike',
  'marketplace.name_taken',
  'marketplace.publisher_differs',
  'marketplace.version_malformed',
  'marketplace.version_exists',
  'marketplace.type_differs',
  'marketplace.license_malformed',
  'marketplace.files_unfit',
  'skills.files_unfit',
  'skills.check_busy',
  'marketplace.claim_refused',
  'marketplace.claim_other_wallet',
  'marketplace.too_many',
  'users.storage_full',
  'marketplace.listing_taken_down',
  'auth.wallet_address_malformed',
  'auth.rpc_required',
  'auth.rpc_failed',
  'registry.warming_up',
  'rigs.check_busy',
  'rigs.lock_broken',
  'rigs.unfit',
  'workers.limit_exceeded',
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
      'Publishes one version of a directory with SKILL.md, HARNESS.md or rig.yaml, or a first one. Versions never change. ' +
      'The static checks stop nothing but errors of format: secrets, dangerous commands and text that steers models are ' +
      'told as `findings`, by their place, and shown to everybody. A name that can be taken for one that is known is ' +
      'refused with the conflict. `claim` is a linked wallet’s signature on `claim_text`, which `dry_run` answers.',
    access: 'jwt',
    limit: 'publish',
    creates: true,
    body: Type.Object(PUBLISH_ORDER, closed),
    body_example: ORDER_EXAMPLE,
    answers: {
      200: published('The dry run: nothing was kept.', {
        ...PUBLISHED_EXAMPLE,
        published: false,
        id: null,
        links: null,
      }),
      201: published('The version is published.', PUBLISHED_EXAMPLE),
    },
    problems: PUBLISHING,
  }),
  unpublish: operation({
    id: 'marketplace.publishing.unpublish',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/unpublish',
    summary: 'Unpublish a listing',
    description:
      'Takes the whole listing out of lists, searches and runs, and deletes its files where nobody else has published the ' +
      'same. Its name stays yours, its versions stay used up, and names, versions and digests stay known: receipts of ' +
      'runs verify as before. A later version of yours brings the listing back. By its publisher or an operator.',
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
      'Nobody gets a yanked version any more but who has pinned it by its digest: it is no `latest`, makes no new task, and ' +
      'its files are had with `digest` alone. By its publisher or an operator.',
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
      'A deprecated version goes on as it is, and is shown with the reason; `latest` prefers live ones. By its publisher or ' +
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
      'Yanked and deprecated versions are live again, as if nothing had been; the history shows it with the reason. Never ' +
      'what was unpublished, whose files are gone. By its publisher, but for what an operator took back, or by an operator.',
    access: 'jwt',
    params,
    examples,
    body: Type.Object({ reason: Reason, version: Version }, closed),
    body_example: { reason: 'It loses no words after all.', version: '1.0.0' },
    answers: withdrawn,
    problems: [...WITHDRAWING, 'marketplace.held_by_operator'],
  }),
};
