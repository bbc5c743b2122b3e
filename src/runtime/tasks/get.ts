import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { openReceiptKey } from './receipt-key.ts';
import { noSuchTask } from './refusals.ts';
import { wholeTask } from './task.ts';
import { findTask } from './tasks.ts';

export const getTask =
  ({ db, keys, kept_ms }: TasksDeps): Handler<typeof tasksContract.get> =>
  async ({ params, caller }) => {
    const task = await findTask(db, { user_id: caller.user_id, id: params.id });
    if (task === undefined) throw noSuchTask();
    return jsonText(wholeTask(task, { receipt_key: openReceiptKey(keys, task), kept_ms }));
  };
