import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { enqueueTask } from './enqueue.ts';
import { openReceiptKey } from './receipt-key.ts';
import { wholeTask } from './task.ts';

export const startTask =
  (deps: TasksDeps): Handler<typeof tasksContract.start> =>
  async ({ params, caller, headers: { traceparent } }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const task = await enqueueTask(deps, of, typeof traceparent === 'string' ? traceparent.slice(0, 200) : null);
    return jsonText(wholeTask(task, { receipt_key: openReceiptKey(deps.keys, task), kept_ms: deps.kept_ms }), {
      status: 202,
    });
  };
