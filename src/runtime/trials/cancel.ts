import { ANONYMOUS_ID } from '#accounts/users/house-accounts.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { isProblem } from '#core/problem/problem.ts';
import { cancelTask } from '#runtime/tasks/cancel-task.ts';
import { sharedRun } from '#runtime/tasks/shared-run.ts';
import { findShared } from '#runtime/tasks/shares.ts';
import type { Task } from '#runtime/tasks/task.ts';
import type { trialsContract } from './contract.ts';
import type { TrialsDeps } from './deps.ts';
import { SHOWS } from './queue-run.ts';
import { noSuchTrial } from './refusals.ts';

/** POST /api/trials/{token}/cancel. Links of accounts only show a run, so they cancel nothing. */
export const cancelTrial =
  ({ tasks }: TrialsDeps): Handler<typeof trialsContract.cancel> =>
  async ({ params: { token } }) => {
    const { id } = await trialOf(tasks, token);
    // A run may end at any time before its row is changed.
    await cancelTask(tasks, { user_id: ANONYMOUS_ID, id }).catch((error) => {
      if (!isProblem(error, 'tasks.conflict', 'not_changeable')) throw error;
    });
    tasks.channel.publish(id);
    return jsonText(await sharedRun(tasks, await trialOf(tasks, token), SHOWS), { cache_control: 'no-store' });
  };

async function trialOf({ db, clock }: TrialsDeps['tasks'], token: string): Promise<Task> {
  const found = await findShared(db, token, isoTime(clock.now()));
  if (found === undefined || found.task.user_id !== ANONYMOUS_ID) throw noSuchTrial();
  return found.task;
}
