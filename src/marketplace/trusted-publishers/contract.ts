import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Id } from '#marketplace/listings/contract.ts';
import { LISTING_ID, ORDER_EXAMPLE, PUBLISHED_EXAMPLE } from '#marketplace/listings/examples.ts';
import { PUBLISH_ORDER } from '#marketplace/listings/order-shape.ts';
import { PUBLISHING, PublishedAnswer } from '#marketplace/publishing/contract.ts';
import { ISSUER_KINDS } from './issuers.ts';
import { TrustedPublisher } from './shapes.ts';

/** Operations of publishing from CI without a stored key. */

const closed = { additionalProperties: false };
const text = Type.String();
const OWN = ['marketplace.not_found', 'marketplace.forbidden'] as const;

const TRUSTED_ID = '0199b3c1-4f2a-7d10-8a44-2c9e6f1b7d77';
const TRUSTED_EXAMPLE = {
  id: TRUSTED_ID,
  issuer: 'github',
  repository: 'ana/words',
  workflow: 'release.yml',
  environment: '',
  repository_url: 'https://github.com/ana/words',
  created_at: '2026-05-06T08:00:00.000Z',
  last_used_at: null,
};

const params = Type.Object({ id: Id });
const examples = { id: LISTING_ID };
const { claim: _claim, ...CI_ORDER } = PUBLISH_ORDER;

export const trustedPublishersContract = {
  list: operation({
    id: 'marketplace.trustedPublishers.list',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/trusted-publishers',
    summary: 'List trusted publishers',
    description: 'The CI workflows that may publish this listing. For its publisher or an operator.',
    access: 'jwt',
    params,
    examples,
    answers: {
      200: jsonAnswer('Oldest first.', Type.Object({ items: Type.Array(TrustedPublisher) }), {
        items: [TRUSTED_EXAMPLE],
      }),
    },
    problems: OWN,
  }),
  create: operation({
    id: 'marketplace.trustedPublishers.create',
    method: 'POST',
    path: '/api/marketplace/listings/{id}/trusted-publishers',
    summary: 'Trust a CI workflow',
    description:
      'Lets one workflow of one repository publish versions of this listing without a stored key. If `environment` is ' +
      'given, the job must name it. The same one again changes nothing. At most 20 per listing.',
    access: 'fresh',
    signs: ['issuer', 'repository', 'workflow', 'environment'],
    params,
    examples,
    body: Type.Object(
      {
        issuer: Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'A name of `GET /api/marketplace/publishing/issuers`.',
        }),
        repository: Type.String({ minLength: 1, maxLength: 500, description: '`owner/name`' }),
        workflow: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'File in `.github/workflows`, such as `release.yml`; at GitLab the path of the CI file.',
        }),
        environment: Type.Optional(Type.String({ maxLength: 255, description: 'Name of the required environment.' })),
      },
      closed,
    ),
    body_example: { issuer: 'github', repository: 'ana/words', workflow: 'release.yml' },
    answers: { 201: jsonAnswer('The trusted publisher.', TrustedPublisher, TRUSTED_EXAMPLE) },
    problems: [...OWN, 'http.invalid', 'marketplace.limit_exceeded'],
  }),
  delete: operation({
    id: 'marketplace.trustedPublishers.delete',
    method: 'DELETE',
    path: '/api/marketplace/listings/{id}/trusted-publishers/{trusted_id}',
    summary: 'Stop trusting a CI workflow',
    description: 'Its publish tokens end at once. Published versions stay.',
    access: 'jwt',
    params: Type.Object({
      ...params.properties,
      trusted_id: Type.String({ minLength: 1, maxLength: 100, description: 'Trusted publisher id.' }),
    }),
    examples: { ...examples, trusted_id: TRUSTED_ID },
    answers: {
      200: jsonAnswer('Deleted.', Type.Object({ id: text, status: Type.Literal('deleted') }), {
        id: TRUSTED_ID,
        status: 'deleted',
      }),
    },
    problems: OWN,
  }),
  listIssuers: operation({
    id: 'marketplace.trustedPublishers.listIssuers',
    method: 'GET',
    path: '/api/marketplace/publishing/issuers',
    summary: 'List CI services',
    description: 'The CI services whose workflows can be trusted, and the audience that their identity tokens need.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'Issuers of identity tokens.',
        Type.Object({
          audience: text,
          items: Type.Array(
            Type.Object({ name: text, kind: Type.Enum([...ISSUER_KINDS]), url: Type.String({ description: '`iss`' }) }),
          ),
        }),
        {
          audience: 'https://capstan.example',
          items: [{ name: 'github', kind: 'github', url: 'https://token.actions.githubusercontent.com' }],
        },
      ),
    },
    problems: [],
  }),
  exchange: operation({
    id: 'marketplace.trustedPublishers.exchange',
    method: 'POST',
    path: '/api/marketplace/publishing/token',
    summary: 'Exchange an identity token',
    description:
      'Exchanges the OpenID Connect token of a CI job for a publish token, if a trusted publisher of the listing matches ' +
      'its repository, workflow and environment. The publish token publishes this listing alone, for 15 minutes. An ' +
      'identity token is accepted once.',
    access: 'public',
    limit: 'token',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 20_000, description: 'The identity token of the job.' }),
        listing: Type.String({ minLength: 1, maxLength: 200, description: '`publisher/name`, or the listing id.' }),
      },
      closed,
    ),
    body_example: { token: 'eyJ…', listing: ORDER_EXAMPLE.name },
    answers: {
      200: jsonAnswer(
        'The publish token.',
        Type.Object({
          token: text,
          expires_at: Type.String({ format: 'date-time' }),
          listing: Type.Object({ id: text, name: text }),
          repository: text,
          workflow: text,
        }),
        {
          token: 'capub_EXAMPLEnotatoken',
          expires_at: '2026-05-06T08:15:00.000Z',
          listing: { id: LISTING_ID, name: ORDER_EXAMPLE.name },
          repository: 'ana/words',
          workflow: 'release.yml',
        },
      ),
    },
    problems: [
      'http.invalid',
      'http.limit_exceeded',
      'marketplace.not_found',
      'marketplace.trust_invalid',
      'users.forbidden',
      'outbound.failed',
      'outbound.timeout',
    ],
  }),
  publish: operation({
    id: 'marketplace.trustedPublishers.publish',
    method: 'POST',
    path: '/api/marketplace/publishing/ci',
    summary: 'Publish from CI',
    description:
      'As publishing, with a publish token as `Authorization: Bearer …` and for its listing alone. The version shows the ' +
      'workflow that published it.',
    access: 'public',
    limit: 'publish',
    body: Type.Object(CI_ORDER, closed),
    body_example: ORDER_EXAMPLE,
    answers: {
      200: jsonAnswer('Dry run. Nothing was published.', PublishedAnswer, {
        ...PUBLISHED_EXAMPLE,
        published: false,
        id: null,
        links: null,
      }),
      201: jsonAnswer('The published version.', PublishedAnswer, PUBLISHED_EXAMPLE),
    },
    problems: [
      ...PUBLISHING,
      'marketplace.trust_invalid',
      'auth.token_required',
      'auth.token_invalid',
      'users.forbidden',
    ],
  }),
};
