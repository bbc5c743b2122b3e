import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { newId } from '../../platform/ids.ts';
import { checkInput } from '../execution/check-input.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { readFiles } from './read-files.ts';
import { readInput } from './read-input.ts';
import { type Task, wholeTask } from './task.ts';
import { insertTask } from './tasks.ts';
import { uncharged } from './uncharged.ts';

export const createTask =
  ({ db, clock, resolve }: TasksDeps): Handler<typeof tasksContract.createTask> =>
  async ({ body, caller }) => {
    const { user_id } = caller;
    const input = body.input ?? null;
    const input_text = readInput(input);
    const capability = await resolve(body.capability, uncharged(user_id), { input });
    await checkInput(capability, input);
    const task: Task = {
      ...{ id: newId(), user_id, title: body.title ?? capability.name },
      ...{ capability_kind: capability.kind, capability_ref: capability.ref },
      ...{ capability_version: capability.version, capability_digest: capability.digest },
      execution_class: capability.execution_class,
      ...{ input: input_text, input_files: readFiles(body.input_files ?? []) },
      ...{ status: 'submitted', status_reason: null, output: null, output_files: null, error: null },
      ...{ attempt: 0, trace_id: null, span_id: null, trace_parent: null },
      ...{ receipt_id: null, receipt_key: null, quota_day: null },
      ...{ created_at: isoTime(clock.now()), queued_at: null, dispatched_at: null, started_at: null },
      ...{ finished_at: null, cancel_requested_at: null },
    };
    await insertTask(db, task);
    const headers = { location: `/api/agents/tasks/${task.id}` };
    return json(wholeTask(task, null), { status: 201, headers });
  };
