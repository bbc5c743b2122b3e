import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { enqueueRig } from './enqueue.ts';
import { openReceiptKey } from './receipt-key.ts';
import { wholeTask } from './task.ts';

export const runRig =
  (deps: TasksDeps): Handler<typeof tasksContract.runRig> =>
  async ({ params, body, caller, headers: { traceparent } }) => {
    const parent = typeof traceparent === 'string' ? traceparent.slice(0, 200) : null;
    const task = await enqueueRig(deps, caller.user_id, { rig: params.id, ...body }, parent);
    const headers = { location: `/api/agents/tasks/${task.id}` };
    return jsonText(wholeTask(task, { receipt_key: openReceiptKey(deps.keys, task), kept_ms: deps.kept_ms }), {
      status: 202,
      headers,
    });
  };
