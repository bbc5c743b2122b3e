import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { MOST_SPANS, type tracesContract } from './contract.ts';
import { listSpansOf } from './spans.ts';
import { traceAnswer } from './trace-answer.ts';
import type { Tracing } from './tracing.ts';

export interface TracesDeps {
  db: Kysely<Schema>;
  tracing: Tracing;
}

/** GET /api/traces/{trace_id} */
export const getTrace =
  ({ db, tracing }: TracesDeps): Handler<typeof tracesContract.getTrace> =>
  async ({ params: { trace_id }, caller: { user_id } }) => {
    const read = () => listSpansOf(db, { user_id, trace_id }, MOST_SPANS);
    const spans = await read();
    if (spans.some((it) => it.parent_span_id === null)) return json(traceAnswer(trace_id, spans));
    // What ended in this process a moment ago may be waiting for its batch; the first span of a trace ends last.
    await tracing.flush();
    const late = await read();
    if (late.length === 0) throw noSuchTrace();
    return json(traceAnswer(trace_id, late));
  };

const noSuchTrace = (): Problem =>
  new Problem('not_found', 'traces.not_found', 'You have no trace of this id, or it was deleted for age.');
