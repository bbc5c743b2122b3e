import type { Kysely } from 'kysely';
import { ensureHouseAccount, type HouseId } from '#accounts/users/house-accounts.ts';
import { lockUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import { isProblem } from '#core/problem/problem.ts';
import type { Capability } from '#runtime/runs/capability.ts';
import type { TasksDeps } from '#runtime/tasks/deps.ts';
import { newTask } from '#runtime/tasks/make-task.ts';
import { hashOfShare, insertShare, newShareToken } from '#runtime/tasks/shares.ts';
import type { Task } from '#runtime/tasks/task.ts';
import { appendEvents, statusEvent } from '#runtime/tasks/task-events.ts';
import { countQueue, insertTask } from '#runtime/tasks/tasks.ts';
import { trialQueueFull, trialStorageFull } from './refusals.ts';

/** Runs of accounts that nobody signs in to: queued as they are made, and read by a link. */

interface HouseRun {
  owner: HouseId;
  capability: Capability;
  /** As JSON. */
  input: string;
}

type Also = (trx: Kysely<Schema>, taskId: string, now: string) => Promise<void>;

/** Waiting and running ones of one account. */
const MOST_QUEUED = 50;

/** What a link to such a run shows: all that its caller sent and got. */
export const SHOWS = { input: true, trace: true, names: false };

/** @throws Problem `trials.limit_exceeded` (`queue`, `storage`) */
export async function queueRun(
  { db, clock, storage, channel, scheduler }: TasksDeps,
  { owner, capability, input }: HouseRun,
  also: Also = async () => {},
): Promise<{ task: Task; token: string }> {
  const now = isoTime(clock.now());
  const token = newShareToken();
  const made = newTask(owner, capability, { title: capability.name, input, input_files: '[]', given: null }, now);
  const task: Task = { ...made, status: 'working', status_reason: 'queued', queued_at: now };
  await db.transaction().execute(async (trx) => {
    await ensureHouseAccount(trx, owner, now);
    // Held so that runs that start at once cannot pass the limit of the queue together.
    await lockUser(trx, owner);
    if ((await countQueue(trx, owner)) >= MOST_QUEUED) throw trialQueueFull(MOST_QUEUED);
    await storage.require(trx, owner, 'tasks', Buffer.byteLength(input)).catch((error) => {
      throw isProblem(error, 'users.quota_exceeded', 'storage_full') ? trialStorageFull() : error;
    });
    await insertTask(trx, task);
    await insertShare(trx, {
      id: newId(),
      task_id: task.id,
      user_id: owner,
      token_hash: hashOfShare(token),
      shows: JSON.stringify(SHOWS),
      created_at: now,
      expires_at: null,
    });
    await appendEvents(trx, task.id, [statusEvent(task)], now);
    await also(trx, task.id, now);
  });
  channel.publish(task.id);
  await scheduler.dispatch(owner);
  return { task, token };
}
