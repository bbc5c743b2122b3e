import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

const Check = Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() });
const Readiness = Type.Object({ status: Type.Enum(['ready', 'not_ready']), checks: Type.Array(Check) });

const BUILDING = 'The catalog index is being built. Retry in a second.';

export const healthContract = {
  getLiveness: operation({
    id: 'core.health.getLiveness',
    method: 'GET',
    path: '/healthz',
    any_host: true,
    summary: 'Check liveness',
    description: 'Returns 200 while the process can respond. Does not check dependencies.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'Alive.',
        Type.Object({
          status: Type.Literal('ok'),
          version: Type.String(),
          instance: Type.String({ description: 'Database id; the same for all processes that share a database.' }),
        }),
        { status: 'ok', version: '0.1.0', instance: 'p4x2k9w1' },
      ),
    },
    problems: [],
  }),
  getReadiness: operation({
    id: 'core.health.getReadiness',
    method: 'GET',
    path: '/readyz',
    any_host: true,
    summary: 'Check readiness',
    description:
      'Returns 200 if the database is available, the catalog index is built and the search has an index to read; otherwise ' +
      '503 with the failing checks.',
    access: 'public',
    answers: {
      200: jsonAnswer('Ready.', Readiness, { status: 'ready', checks: [{ name: 'database', ok: true, detail: '' }] }),
      503: jsonAnswer('Not ready; see `checks`.', Readiness, {
        status: 'not_ready',
        checks: [{ name: 'catalog', ok: false, detail: BUILDING }],
      }),
    },
    problems: [],
  }),
  getMetrics: operation({
    id: 'core.health.getMetrics',
    method: 'GET',
    path: '/metrics',
    any_host: true,
    summary: 'Get Prometheus metrics',
    description:
      "Metrics of this process in the Prometheus text format. Requires the operator's metrics token as a " +
      'bearer token. If none is set, only loopback clients have access.',
    access: 'public',
    answers: {
      200: {
        description: 'Metrics.',
        content: {
          'text/plain': {
            schema: Type.String(),
            example: 'capstan_http_requests_total{operation="catalog.items.list",status="2xx"} 7',
          },
        },
      },
    },
    problems: ['metrics.token_required', 'http.forbidden'],
  }),
} as const;
