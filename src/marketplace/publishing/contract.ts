import { ViolationList, ViolationShown } from '#catalog/checks/violation-list.ts';
import { EXECUTION_CLASSES, LISTING_TYPES } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import {
  CHECKED_EXAMPLE,
  LISTING_ID,
  ORDER_EXAMPLE,
  PUBLISHED_EXAMPLE,
  WITHDRAWN_EXAMPLE,
} from '#marketplace/listings/examples.ts';
import { PUBLISH_ORDER } from '#marketplace/listings/order-shape.ts';
import { Claim, Findings, VersionSummary } from '#marketplace/listings/shapes.ts';
import { GivenFiles } from '#runtime/skills/checks/given-files.ts';

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
const CHECKING = [
  'http.invalid',
  'http.limit_exceeded',
  'http.unavailable',
  'outbound.failed',
  'outbound.timeout',
] as const;
export const PUBLISHING = [
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

const paths = (description: string) => Type.Array(text, { description });

const CheckedAnswer = Type.Object({
  ready: Type.Boolean({ description: 'Whether it can be published as it is.' }),
  publisher: Type.Union([text, Type.Null()], {
    description: 'The publisher name of your account. Null if it has none.',
  }),
  name: Type.String({ description: '`publisher/name`, as given or from the files. Empty if it is unknown.' }),
  name_in_files: Type.String({ description: 'Without a publisher. Empty if the files have none.' }),
  version: Type.String({ description: 'As given or suggested.' }),
  license: Type.String({ description: 'As given or from the files. Empty if neither has one.' }),
  listing_type: Type.Enum([...LISTING_TYPES]),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  description: Type.String({ description: 'From the files. Empty if they have none.' }),
  digest: text,
  files: Type.Array(Type.Object({ path: text, size: Type.Integer(), sha256: text })),
  findings: Type.Object({
    errors: Type.Integer({ description: 'Errors prevent publishing; warnings are published with the version.' }),
    warnings: ViolationList.warnings,
    items: Type.Array(ViolationShown, { description: 'Errors first; at most 200.' }),
  }),
  problems: Type.Array(
    Type.Object({
      pointer: Type.Enum(['/name', '/version', '/license', '/files'], {
        description: 'Field of the publishing request.',
      }),
      code: text,
      reason: Type.Union([text, Type.Null()]),
      detail: text,
    }),
    { description: 'What publishing would refuse besides errors in the files.' },
  ),
  suggestion: Type.Object(
    { version: text, reason: Type.String({ description: 'A sentence.' }) },
    { description: 'The next version, from the files and what changed since the last one.' },
  ),
  previous: Type.Union(
    [
      Type.Object({
        id: Type.String({ description: 'Listing id.' }),
        version: text,
        digest: text,
        is_same: Type.Boolean({ description: 'Whether the files are identical.' }),
        added: paths('Files that it did not have.'),
        removed: paths('Files that are gone.'),
        changed: paths('Files with other content.'),
        links: Type.Object({ self: text }),
      }),
      Type.Null(),
    ],
    { description: 'The version that is listed now. Null for a first version.' },
  ),
  claim_text: Type.Union([text, Type.Null()], {
    description: 'Text for a wallet to sign to claim this version. Null until it is ready.',
  }),
  folder: Type.Union([text, Type.Null()], {
    description: 'Where the files were in the archive or repository. Null if the request contained them.',
  }),
  contents: Type.Optional(GivenFiles),
});

export const publishingContract = {
  check: operation({
    id: 'marketplace.publishing.check',
    method: 'POST',
    path: '/api/marketplace/publishing/check',
    summary: 'Check files before publishing',
    description:
      'Checks a folder with SKILL.md, HARNESS.md or rig.yaml, and everything else that publishing would refuse. Send ' +
      '`files`, or an `archive` (zip or tar.gz), or the `url` of a public repository on GitHub, GitLab, Codeberg or ' +
      'Bitbucket, or of an archive; then the response has the files in `contents`. It suggests a name and a version, and ' +
      'lists what changed since the last one. Nothing is stored.',
    access: 'jwt',
    limit: 'publish_check',
    body: Type.Object(
      {
        files: Type.Optional(GivenFiles),
        archive: Type.Optional(Type.String({ description: 'A zip or tar.gz archive in base64.' })),
        url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'https' })),
        folder: Type.Optional(
          Type.String({ maxLength: 500, description: 'In the archive or repository, if it has several to publish.' }),
        ),
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: '`publisher/name`' })),
        publisher: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'With the name in the files, instead of `name`.' }),
        ),
        version: Type.Optional(Type.String({ maxLength: 200 })),
        license: Type.Optional(Type.String({ maxLength: 200 })),
      },
      closed,
    ),
    body_example: { files: ORDER_EXAMPLE.files, license: 'MIT' },
    answers: { 200: jsonAnswer('What publishing would say.', CheckedAnswer, CHECKED_EXAMPLE) },
    problems: CHECKING,
  }),
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
