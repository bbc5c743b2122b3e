import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { TRACE_EXAMPLE } from './examples.ts';
import { TraceSpan } from './trace-answer.ts';

/** The traces feature as data. */

/** Of one answer; more than any run has. */
export const MOST_SPANS = 1_000;
export const MOST_LINKED = 100;

export const tracesContract = {
  get: operation({
    id: 'core.traces.get',
    method: 'GET',
    path: '/api/traces/{trace_id}',
    summary: 'Get a trace',
    description:
      'The spans of one run, whatever ran: a tool called on a connection, a task, a turn of the agent. Names follow ' +
      'OpenTelemetry’s conventions for generative AI. Inputs and outputs are included, shortened and with secrets removed; ' +
      'only the owner sees them. A run is a trace of its own: the `traceparent` of the request that began it becomes a ' +
      'link. `linked` lists your runs that link to this trace, so the id of a trace of your own finds them too. A trace ' +
      'appears about a second after its run ended, and is deleted after `CAPSTAN_TRACE_RETENTION`.',
    access: 'jwt',
    params: Type.Object({
      trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: '`trace_id` of an answer; 32 hex digits.' }),
    }),
    examples: { trace_id: TRACE_EXAMPLE.trace_id },
    answers: {
      200: {
        description: `The first ${MOST_SPANS} spans by start.`,
        content: {
          'application/json': {
            schema: Type.Object({
              trace_id: Type.String(),
              spans: Type.Array(TraceSpan),
              linked: Type.Array(
                Type.Object({
                  trace_id: Type.String(),
                  name: Type.String({ description: 'The name of the span that has the link.' }),
                  started_at: Type.String({ format: 'date-time' }),
                }),
                { description: `Your traces that this one led to, the newest first, at most ${MOST_LINKED}.` },
              ),
            }),
            example: { ...TRACE_EXAMPLE, linked: [] },
          },
        },
      },
    },
    problems: ['traces.not_found'],
  }),
} as const;
