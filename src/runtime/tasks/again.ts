import { defined } from '#core/defined.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { enqueueMade } from './enqueue.ts';
import { givenOf } from './given.ts';
import { makeTask } from './make-task.ts';
import type { FileGiven } from './read-files.ts';
import { capabilityChanged, noSuchTask } from './refusals.ts';
import { type Task, wholeTask } from './task.ts';
import { findTask, removeTask } from './tasks.ts';

/** POST /api/agents/tasks/{id}/again. Secrets are not part of a task: they are read from where they are stored. */
export const runTaskAgain =
  (deps: TasksDeps): Handler<typeof tasksContract.again> =>
  async ({ params: { id }, caller: { user_id }, headers: { traceparent } }) => {
    const known = await findTask(deps.db, { user_id, id });
    if (known === undefined) throw noSuchTask();
    const made = await makeTask(deps, user_id, orderOf(known));
    const of = { user_id, id: made.id };
    if (made.capability_digest !== known.capability_digest) {
      await removeTask(deps.db, of);
      throw capabilityChanged(known.status);
    }
    const task = await enqueueMade(deps, of, typeof traceparent === 'string' ? traceparent.slice(0, 200) : null);
    const headers = { location: `/api/agents/tasks/${task.id}` };
    return jsonText(wholeTask(task, { receipt_key: null, kept_ms: deps.kept_ms }), { status: 202, headers });
  };

function orderOf({ title, capability_kind: kind, capability_ref: ref, capability_version: version, ...task }: Task) {
  const { environment, install } = givenOf(task.given);
  return {
    title,
    capability: { kind, ref, version },
    input: JSON.parse(task.input) as unknown,
    input_files: (JSON.parse(task.input_files) as FileGiven[]).map(({ path, content_base64 }): FileGiven => {
      return { path, content_base64 };
    }),
    ...defined({ environment, install }),
  };
}
