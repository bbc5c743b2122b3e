import { operation } from '../../platform/http/operation.ts';
import { Type } from '../../platform/json-schema/type.ts';
import { TRACE_EXAMPLE } from './examples.ts';
import { TraceSpan } from './trace-answer.ts';

/** The traces feature as data. */

/** Of one answer; more than any run has. */
export const MOST_SPANS = 1_000;

export const tracesContract = {
  getTrace: operation({
    id: 'traces.getTrace',
    method: 'GET',
    path: '/api/traces/{trace_id}',
    summary: 'Get a trace',
    description:
      'What your runs did under this trace id, whatever ran: a tool called on a connection, a task. Spans are those of the ' +
      'OpenTelemetry conventions for generative AI. Input and output are in it, cut and with secrets taken out; only the ' +
      'owner sees it. It is there about a second after the run ended, until it is deleted for age.',
    access: 'jwt',
    params: Type.Object({
      trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: '`trace_id` of an answer; 32 hex digits.' }),
    }),
    examples: { trace_id: TRACE_EXAMPLE.trace_id },
    answers: {
      200: {
        description: `By their start, the first ${MOST_SPANS}.`,
        content: {
          'application/json': {
            schema: Type.Object({ trace_id: Type.String(), spans: Type.Array(TraceSpan) }),
            example: TRACE_EXAMPLE,
          },
        },
      },
    },
    problems: ['traces.not_found'],
  }),
} as const;
