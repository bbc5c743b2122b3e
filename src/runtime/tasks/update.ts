import { type Handler, jsonText } from '#core/http/operation.ts';
import { cancelTask } from './cancel-task.ts';
import { changeTask } from './change-task.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { openReceiptKey } from './receipt-key.ts';
import { noSuchTask } from './refusals.ts';
import { wholeTask } from './task.ts';
import { findTask } from './tasks.ts';

type Update = Handler<typeof tasksContract.update>;
type Body = Parameters<Update>[0]['body'];

export const updateTask =
  (deps: TasksDeps): Update =>
  async ({ params, body, caller }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const known = await findTask(deps.db, of);
    if (known === undefined) throw noSuchTask();
    const edited = isEdit(body) ? await changeTask(deps, of, known, body) : known;
    const task = body.status === 'cancelled' ? await cancelTask(deps, of) : edited;
    deps.channel.publish(task.id);
    return jsonText(wholeTask(task, { receipt_key: openReceiptKey(deps.keys, task), kept_ms: deps.kept_ms }));
  };

const isEdit = ({ title, input, input_files }: Body): boolean =>
  title !== undefined || input !== undefined || input_files !== undefined;
