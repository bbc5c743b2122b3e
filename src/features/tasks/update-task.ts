import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { checkInput } from '../execution/check-input.ts';
import { openReceiptKey, statusEvent } from './attempt.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { readFiles } from './read-files.ts';
import { readInput } from './read-input.ts';
import { noSuchTask, notChangeable } from './refusals.ts';
import type { TaskState } from './states.ts';
import { type Task, wholeTask } from './task.ts';
import { appendEvents } from './task-events.ts';
import { cancelIdle, editTask, findTask, type Owned, requestCancel, type TaskEdit } from './tasks.ts';
import { uncharged } from './uncharged.ts';

type Update = Handler<typeof tasksContract.updateTask>;
type Body = Parameters<Update>[0]['body'];

export const updateTask =
  (deps: TasksDeps): Update =>
  async ({ params, body, caller }) => {
    const of = { user_id: caller.user_id, id: params.id };
    const known = await findTask(deps.db, of);
    if (known === undefined) throw noSuchTask();
    const edited = isEdit(body) ? await edit(deps, of, known, body) : known;
    const task = body.status === 'cancelled' ? await cancel(deps, of) : edited;
    deps.signals.changed(task.id);
    return json(wholeTask(task, openReceiptKey(deps.keys, task)));
  };

const isEdit = ({ title, input, input_files }: Body): boolean =>
  title !== undefined || input !== undefined || input_files !== undefined;

async function edit({ db, resolve }: TasksDeps, of: Owned, known: Task, body: Body): Promise<Task> {
  const change: TaskEdit = {};
  if (body.title !== undefined) change.title = body.title;
  if (body.input_files !== undefined) change.input_files = readFiles(body.input_files);
  if (body.input !== undefined) {
    change.input = readInput(body.input);
    const { capability_kind: kind, capability_ref: ref, capability_version: version } = known;
    const given = { input: body.input, digest: known.capability_digest };
    const capability = await resolve({ kind, ref, version }, uncharged(of.user_id), given);
    await checkInput(capability, body.input);
    // Another input may mean another tool of the same server.
    change.capability_digest = capability.digest;
  }
  // An answer to what was asked is an input; the title of a task under way is history.
  const open: TaskState[] = body.title === undefined ? ['submitted', 'input_required'] : ['submitted'];
  const edited = await editTask(db, of, change, open);
  if (edited !== undefined) return edited;
  throw notChangeable((await findTask(db, of))?.status ?? known.status);
}

async function cancel({ db, clock, giveTurns, hurry }: TasksDeps, of: Owned): Promise<Task> {
  const now = isoTime(clock.now());
  const ended = await db.transaction().execute(async (trx) => {
    const cancelled = await cancelIdle(trx, of, now);
    if (cancelled !== undefined) await appendEvents(trx, cancelled.id, [statusEvent(cancelled)], now);
    return cancelled;
  });
  if (ended !== undefined) {
    await giveTurns(of.user_id);
    return ended;
  }
  const requested = await requestCancel(db, of, now);
  if (requested !== undefined) {
    await hurry(of.id);
    return requested;
  }
  const asked = await findTask(db, of);
  if (asked === undefined) throw noSuchTask();
  // A task that was cancelled before stays so: asking twice is no mistake.
  if (asked.status !== 'cancelled') throw notChangeable(asked.status);
  return asked;
}
