import { uncounted } from '#runtime/runs/caller.ts';
import { answerServer } from './answer-server.ts';
import { declineTask } from './decline-task.ts';
import type { TasksDeps } from './deps.ts';
import { givenOf, givenWith, readAnswer } from './given.ts';
import { type FileGiven, readFiles } from './read-files.ts';
import { readInput } from './read-input.ts';
import { notChangeable } from './refusals.ts';
import type { TaskState } from './states.ts';
import { shownTask, type Task } from './task.ts';
import { editTask, findTask, type Owned, type TaskEdit } from './tasks.ts';

interface TaskChange {
  title?: string;
  input?: unknown;
  input_files?: readonly FileGiven[];
}

/** Changes a task that has not started. Input for a task that is `input_required` answers it. */
export async function changeTask(
  deps: Pick<TasksDeps, 'db' | 'clock' | 'runs' | 'storage' | 'questions' | 'channel'>,
  of: Owned,
  known: Task,
  body: TaskChange,
): Promise<Task> {
  const { db, runs, storage } = deps;
  const change: TaskEdit = {};
  const { question } = shownTask(known);
  if (body.input !== undefined && known.status === 'input_required' && known.asking !== null)
    return answerServer(deps, of, known, body.input);
  if (body.input !== undefined && known.status === 'input_required' && question !== null)
    return answerTask(deps, of, known, readAnswer(body.input, question));
  if (body.title !== undefined) change.title = body.title;
  if (body.input_files !== undefined) change.input_files = readFiles(body.input_files);
  if (body.input !== undefined) {
    change.input = readInput(body.input);
    const { capability_kind: kind, capability_ref: ref, capability_version: version } = known;
    const given = { input: body.input, digest: known.capability_digest, given: givenOf(known.given) };
    const capability = await runs.prepare({ kind, ref, version }, uncounted(of.user_id), given);
    // Another input may mean another tool of the same server.
    change.capability_digest = capability.digest;
  }
  const added = bytesOf(change.input) + bytesOf(change.input_files);
  if (added > 0) await storage.require(db, of.user_id, 'tasks', added);
  // A task that asks for input accepts only input, not a new title.
  const open: TaskState[] = body.title === undefined ? ['submitted', 'input_required'] : ['submitted'];
  const edited = await editTask(db, of, change, open);
  if (edited !== undefined) return edited;
  throw notChangeable((await findTask(db, of))?.status ?? known.status);
}

/** A declined question ends the task. */
async function answerTask(
  deps: Pick<TasksDeps, 'db' | 'clock' | 'storage'>,
  of: Owned,
  known: Task,
  { declined, given }: ReturnType<typeof readAnswer>,
): Promise<Task> {
  const answered = declined ? await declineTask(deps, of, known) : await giveTask(deps, of, known, given);
  if (answered !== undefined) return answered;
  throw notChangeable((await findTask(deps.db, of))?.status ?? known.status);
}

async function giveTask(
  { db, storage }: Pick<TasksDeps, 'db' | 'storage'>,
  of: Owned,
  known: Task,
  added: ReturnType<typeof readAnswer>['given'],
): Promise<Task | undefined> {
  const given = givenWith(known.given, added);
  const more = bytesOf(given ?? '') - bytesOf(known.given ?? '');
  if (more > 0) await storage.require(db, of.user_id, 'tasks', more);
  return editTask(db, of, { given }, ['input_required']);
}

const bytesOf = (text = ''): number => Buffer.byteLength(text);
