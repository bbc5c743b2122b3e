import { type Handler, json } from '#core/http/operation.ts';
import { listRunSpans } from '#core/traces/spans.ts';
import { traceAnswer } from '#core/traces/trace-answer.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import { findTask } from './tasks.ts';

export const getTaskTrace =
  ({ db }: TasksDeps): Handler<typeof tasksContract.getTrace> =>
  async ({ params, caller }) => {
    const task = await findTask(db, { user_id: caller.user_id, id: params.id });
    if (task === undefined) throw noSuchTask();
    const { trace_id, span_id } = task;
    if (trace_id === null || span_id === null) return json({ trace_id, spans: [] });
    return json(traceAnswer(trace_id, await listRunSpans(db, { user_id: task.user_id, trace_id, span_id })));
  };
