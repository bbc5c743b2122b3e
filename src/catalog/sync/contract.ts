import { PROVIDERS } from '#catalog/items/kinds.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { SYNC_STATUSES } from './sync-states.ts';

/** The part of the registry's contract that tells how the syncs went. */

const time = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const SyncStatus = Type.Object({
  provider: Type.Enum([...PROVIDERS]),
  status: Type.Enum([...SYNC_STATUSES], {
    description: '`partial`: far fewer listings than before came, so none was removed.',
  }),
  mode: Type.Enum(['full', 'incremental']),
  started_at: time('Start of the run under way or the last one.'),
  finished_at: time('Its end.'),
  progress: Type.Object({
    seen: count('Listings met so far.'),
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Where the provider says it.' }),
  }),
  added: count('New, or back again.'),
  updated: count('Changed.'),
  removed: count('Turned into tombstones.'),
  rejected: count('Records that did not fit.'),
  error: Type.Union([Type.Object({ code: Type.String(), detail: Type.String() }), Type.Null()]),
  next_run_at: time('When the next run is due.'),
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
  external_id: Type.Union([Type.String(), Type.Null()], { description: 'Where the record has one that can be read.' }),
  reason: Type.String(),
  raw: Type.String({ description: "The beginning of the provider's record as JSON text. A stranger's text." }),
  rejected_at: Type.String({ format: 'date-time' }),
});

const REJECTED_EXAMPLE = {
  provider_id: 'clawhub',
  external_id: 'example/broken',
  reason: 'displayName is no string',
  raw: '{"slug":"broken","displayName":7}',
  rejected_at: '2026-04-14T00:00:00.000Z',
};

export const syncContract = {
  get: operation({
    id: 'catalog.sync.get',
    method: 'GET',
    path: '/api/marketplace/registry/sync',
    summary: 'Sync status of each provider',
    description:
      'The run under way or the last one of each provider: how far it is, what it changed, and what went wrong.',
    access: 'public',
    answers: {
      200: {
        description: 'One entry a provider, in the fixed order of the providers.',
        content: {
          'application/json': { schema: Type.Object({ providers: Type.Array(SyncStatus) }), example: SYNC_EXAMPLE },
        },
      },
    },
    problems: [],
  }),
  listRejected: operation({
    id: 'catalog.sync.listRejected',
    method: 'GET',
    path: '/api/marketplace/registry/rejected',
    summary: 'List records that did not fit',
    description:
      'Records that providers sent and that cannot be listings, with the reason. They are kept until a full sync ends without them.',
    access: 'public',
    query: Type.Object({
      provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only records of this provider.' })),
      ...pageQuery('Records'),
    }),
    examples: { provider: 'clawhub', limit: 50 },
    answers: {
      200: {
        description: 'A page of records. `Link` names the next and the previous page.',
        content: {
          'application/json': {
            schema: pageOf(Rejected),
            example: { items: [REJECTED_EXAMPLE], total_count: 1, limit: 50, offset: 0 },
          },
        },
      },
    },
    problems: [],
  }),
};
