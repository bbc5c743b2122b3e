import { lockUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { newId } from '#core/ids.ts';
import { uncounted } from '#runtime/runs/caller.ts';
import type { AskedRef, Capability } from '#runtime/runs/capability.ts';
import type { TasksDeps } from './deps.ts';
import { givenOf, givenText } from './given.ts';
import { type FileGiven, readFiles } from './read-files.ts';
import { readInput } from './read-input.ts';
import { noSuchTask, tooManyTasks } from './refusals.ts';
import type { Task } from './task.ts';
import { countTasks, insertTask } from './tasks.ts';

interface TaskOrder {
  title?: string;
  capability: AskedRef;
  /** Any JSON. */
  input?: unknown;
  input_files?: readonly FileGiven[];
  /** Values of environment variables that are not secret. */
  environment?: Readonly<Record<string, string>>;
  /** Packages that a script needs may be installed in its box. */
  install?: boolean;
}

export type MakeTaskDeps = Pick<TasksDeps, 'db' | 'clock' | 'runs' | 'kept_per_user' | 'storage'>;

/** Binds a capability, at its exact version and digest, to an input; nothing runs yet. */
export async function makeTask(
  { db, clock, runs, kept_per_user, storage }: MakeTaskDeps,
  user_id: string,
  order: TaskOrder,
): Promise<Task> {
  const input = order.input ?? null;
  const inputText = readInput(input);
  const input_files = readFiles(order.input_files ?? []);
  const given = givenText(order);
  const bytes = Buffer.byteLength(inputText) + Buffer.byteLength(input_files) + Buffer.byteLength(given ?? '');
  // Checked before the capability is resolved, and again under the lock of the account.
  await storage.require(db, user_id, 'tasks', bytes);
  const capability = await runs.prepare(order.capability, uncounted(user_id), { input, given: givenOf(given) });
  const title = order.title ?? capability.name;
  const task = newTask(user_id, capability, { title, input: inputText, input_files, given }, isoTime(clock.now()));
  await db.transaction().execute(async (trx) => {
    // Held so that tasks that race cannot pass the limit together.
    if (!(await lockUser(trx, user_id))) throw noSuchTask();
    if ((await countTasks(trx, user_id)) >= kept_per_user) throw tooManyTasks(kept_per_user);
    await storage.require(trx, user_id, 'tasks', bytes);
    await insertTask(trx, task);
  });
  return task;
}

/** A task that nothing has happened to yet. */
export const newTask = (
  user_id: string,
  capability: Capability,
  { title, input, input_files, given }: Pick<Task, 'title' | 'input' | 'input_files' | 'given'>,
  created_at: string,
): Task => ({
  id: newId(),
  user_id,
  title,
  capability_kind: capability.kind,
  capability_ref: capability.ref,
  capability_version: capability.version,
  capability_digest: capability.digest,
  execution_class: capability.execution_class,
  input,
  input_files,
  status: 'submitted',
  status_reason: null,
  output: null,
  output_files: null,
  error: null,
  attempt: 0,
  trace_id: null,
  span_id: null,
  trace_parent: null,
  receipt_id: null,
  receipt_key: null,
  quota_day: null,
  created_at,
  queued_at: null,
  dispatched_at: null,
  started_at: null,
  finished_at: null,
  cancel_requested_at: null,
  given,
  asking: null,
});
