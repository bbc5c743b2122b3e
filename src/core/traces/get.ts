import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { MOST_LINKED, MOST_SPANS, type tracesContract } from './contract.ts';
import { listSpansOf, listTracesLinkedTo } from './spans.ts';
import { traceAnswer } from './trace-answer.ts';
import type { Tracing } from './tracing.ts';

export interface TracesDeps {
  db: Kysely<Schema>;
  tracing: Tracing;
}

/** GET /api/traces/{trace_id} */
export const getTrace =
  ({ db, tracing }: TracesDeps): Handler<typeof tracesContract.get> =>
  async ({ params: { trace_id }, caller: { user_id } }) => {
    const read = async () => {
      const [spans, linked] = await Promise.all([
        listSpansOf(db, { user_id, trace_id }, MOST_SPANS),
        listTracesLinkedTo(db, { user_id, trace_id }, MOST_LINKED),
      ]);
      return { ...traceAnswer(trace_id, spans), linked };
    };
    const early = await read();
    if (early.spans.some((span) => span.parent_span_id === null)) return json(early);
    // Spans that have just ended may wait for their batch, and the root span of a trace ends last.
    await tracing.flush();
    const late = await read();
    if (late.spans.length === 0 && late.linked.length === 0) throw noSuchTrace();
    return json(late);
  };

const noSuchTrace = (): Problem => coreProblem('traces.not_found', 'Trace not found. It may have expired.');
