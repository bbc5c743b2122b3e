import { PROVIDERS } from '#catalog/items/kinds.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { ProblemBriefShape } from '#core/problem/brief-shape.ts';
import { SYNC_STATUSES } from './sync-states.ts';

/** Operations that report on syncs. */

const time = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const SyncStatus = Type.Object({
  provider: Type.Enum([...PROVIDERS]),
  status: Type.Enum([...SYNC_STATUSES], {
    description: '`partial`: the provider sent far fewer listings than before, so none was removed.',
  }),
  mode: Type.Enum(['full', 'incremental']),
  started_at: time('Start of the current or last run.'),
  finished_at: time('End of the run.'),
  progress: Type.Object({
    seen: count('Listings seen so far.'),
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Null if the provider does not report it.',
    }),
  }),
  added: count('Listings that are new or returned.'),
  updated: count('Listings that changed.'),
  removed: count('Listings that became tombstones.'),
  rejected: count('Invalid records.'),
  error: Type.Union([ProblemBriefShape, Type.Null()]),
  next_run_at: time('Due time of the next run.'),
});

const SYNC_EXAMPLE = {
  providers: [
    {
      provider: 'mcp-registry',
      status: 'running',
      mode: 'full',
      started_at: '2026-04-14T00:00:00.000Z',
      finished_at: null,
      progress: { seen: 12_400, total: null },
      added: 31,
      updated: 12,
      removed: 0,
      rejected: 2,
      error: null,
      next_run_at: null,
    },
  ],
};

const Rejected = Type.Object({
  provider_id: Type.Enum([...PROVIDERS]),
  external_id: Type.Union([Type.String(), Type.Null()], { description: 'Null if the record has no valid id.' }),
  reason: Type.String(),
  raw: Type.String({ description: "The beginning of the provider's record as JSON text. Untrusted." }),
  rejected_at: Type.String({ format: 'date-time' }),
});

const REJECTED_EXAMPLE = {
  provider_id: 'clawhub',
  external_id: 'example/broken',
  reason: '/displayName: Expected string',
  raw: '{"slug":"broken","displayName":7}',
  rejected_at: '2026-04-14T00:00:00.000Z',
};

const OPERATOR_EXAMPLE = { mode: 'full', reason: 'Its last run was partial.' };

export const syncContract = {
  get: operation({
    id: 'catalog.sync.get',
    method: 'GET',
    path: '/api/marketplace/registry/sync',
    summary: 'Sync status of each provider',
    description: 'The current or last run of each provider: progress, changes and errors.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'One entry per provider, in a fixed order.',
        Type.Object({ providers: Type.Array(SyncStatus) }),
        SYNC_EXAMPLE,
      ),
    },
    problems: [],
  }),
  listRejected: operation({
    id: 'catalog.sync.listRejected',
    method: 'GET',
    path: '/api/marketplace/registry/rejected',
    summary: 'List rejected records',
    description:
      'Records of providers that are invalid, with the reason. They are kept until a full sync completes without them.',
    access: 'public',
    query: Type.Object({
      provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only records of this provider.' })),
      ...pageQuery('Records'),
    }),
    examples: { provider: 'clawhub', limit: 50 },
    answers: {
      200: jsonAnswer('A page of records. `Link` has the next and previous page.', pageOf(Rejected), {
        items: [REJECTED_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  start: operation({
    id: 'catalog.sync.start',
    method: 'POST',
    path: '/api/operator/providers/{provider}/syncs',
    summary: 'Sync a provider now (operators)',
    description:
      'Makes the sync of the provider due now, whatever its schedule and its circuit breaker say. While a run is in progress, ' +
      'the next one follows it. See `GET /api/marketplace/registry/sync` for its progress. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    params: Type.Object({ provider: Type.Enum([...PROVIDERS], { description: 'The provider.' }) }),
    examples: { provider: 'smithery' },
    body: Type.Object(
      {
        reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For the audit log.' }),
        mode: Type.Optional(
          Type.Enum(['incremental', 'full'], {
            description:
              '`full`: every listing, even if the provider can send changes only. Defaults to `incremental`.',
          }),
        ),
        accept_fewer: Type.Optional(
          Type.Boolean({ description: 'Removes missing listings even if the provider sends far fewer than before.' }),
        ),
      },
      { additionalProperties: false },
    ),
    body_example: OPERATOR_EXAMPLE,
    answers: { 202: jsonAnswer('The sync is due.', SyncStatus, SYNC_EXAMPLE.providers[0]) },
    problems: ['registry.provider_failed', 'http.invalid'],
  }),
};
