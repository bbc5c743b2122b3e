import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { TRACE_EXAMPLE } from './examples.ts';
import { TraceSpan } from './trace-answer.ts';

/** The operations of traces as data. */

/** Limits of one response; more than any run has. */
export const MOST_SPANS = 1_000;
export const MOST_LINKED = 100;

export const tracesContract = {
  get: operation({
    id: 'core.traces.get',
    method: 'GET',
    path: '/api/traces/{trace_id}',
    summary: 'Get a trace',
    description:
      'Returns the spans of one run: a tool call on a connection, a task or an agent turn. Names follow ' +
      'the OpenTelemetry conventions for generative AI. Inputs and outputs are truncated and redacted, and ' +
      'visible to the owner only. Each run has its own trace; the `traceparent` of the request that ' +
      'started it becomes a link. `linked` lists your runs that link to this trace, so you can look them ' +
      'up by your own trace id. A trace appears about a second after its run ends and expires after ' +
      '`CAPSTAN_TRACE_RETENTION`.',
    access: 'jwt',
    params: Type.Object({
      trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: '`trace_id` from a response; 32 hex digits.' }),
    }),
    examples: { trace_id: TRACE_EXAMPLE.trace_id },
    answers: {
      200: jsonAnswer(
        `The first ${MOST_SPANS} spans, ordered by start time.`,
        Type.Object({
          trace_id: Type.String(),
          spans: Type.Array(TraceSpan),
          linked: Type.Array(
            Type.Object({
              trace_id: Type.String(),
              name: Type.String({ description: 'Name of the span with the link.' }),
              started_at: Type.String({ format: 'date-time' }),
            }),
            { description: `Your traces that link to this one, newest first, at most ${MOST_LINKED}.` },
          ),
        }),
        { ...TRACE_EXAMPLE, linked: [] },
      ),
    },
    problems: ['traces.not_found'],
  }),
} as const;
