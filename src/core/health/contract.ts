import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

const Check = Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() });
const Readiness = Type.Object({ status: Type.Enum(['ready', 'not_ready']), checks: Type.Array(Check) });

const BUILDING = "The catalogue's index is being built. Ask again in a second.";

export const healthContract = {
  getLiveness: operation({
    id: 'core.health.getLiveness',
    method: 'GET',
    path: '/healthz',
    any_host: true,
    summary: 'Is the process alive',
    description: 'Answers 200 as long as the process can answer at all. Says nothing about what it depends on.',
    access: 'public',
    answers: {
      200: {
        description: 'Alive.',
        content: {
          'application/json': {
            schema: Type.Object({
              status: Type.Literal('ok'),
              version: Type.String(),
              instance: Type.String({ description: 'Of its database: the same from every process that is on it.' }),
            }),
            example: { status: 'ok', version: '0.1.0', instance: 'p4x2k9w1' },
          },
        },
      },
    },
    problems: [],
  }),
  getReadiness: operation({
    id: 'core.health.getReadiness',
    method: 'GET',
    path: '/readyz',
    any_host: true,
    summary: 'Can the process serve',
    description:
      'Answers 200 when the database answers and the catalogue is built, 503 with the failing check otherwise.',
    access: 'public',
    answers: {
      200: {
        description: 'Ready.',
        content: {
          'application/json': {
            schema: Readiness,
            example: { status: 'ready', checks: [{ name: 'database', ok: true, detail: '' }] },
          },
        },
      },
      503: {
        description: 'Not ready; the checks say why.',
        content: {
          'application/json': {
            schema: Readiness,
            example: { status: 'not_ready', checks: [{ name: 'catalog', ok: false, detail: BUILDING }] },
          },
        },
      },
    },
    problems: [],
  }),
  getMetrics: operation({
    id: 'core.health.getMetrics',
    method: 'GET',
    path: '/metrics',
    any_host: true,
    summary: 'Metrics for Prometheus',
    description:
      'Counters and histograms of this process in the Prometheus text format. For those who have the token that the operator ' +
      'set for it, sent as a bearer token; where none is set, for the machine alone that the service runs on.',
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
    problems: ['health.metrics_token_wrong', 'health.metrics_elsewhere'],
  }),
} as const;
