import { ANONYMOUS_ID } from '#accounts/users/house-accounts.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { cancelTask } from '#runtime/tasks/cancel-task.ts';
import { sharedRun } from '#runtime/tasks/shared-run.ts';
import { findShared } from '#runtime/tasks/shares.ts';
import { isFinal } from '#runtime/tasks/states.ts';
import type { trialsContract } from './contract.ts';
import type { TrialsDeps } from './deps.ts';
import { SHOWS } from './queue-run.ts';
import { noSuchTrial } from './refusals.ts';

/** POST /api/trials/{token}/cancel. Links of accounts only show a run, so they cancel nothing. */
export const cancelTrial =
  ({ tasks }: TrialsDeps): Handler<typeof trialsContract.cancel> =>
  async ({ params: { token } }) => {
    const found = await findShared(tasks.db, token, isoTime(tasks.clock.now()));
    if (found === undefined || found.task.user_id !== ANONYMOUS_ID) throw noSuchTrial();
    const { task } = found;
    const last = isFinal(task.status) ? task : await cancelTask(tasks, { user_id: ANONYMOUS_ID, id: task.id });
    tasks.channel.publish(task.id);
    return jsonText(await sharedRun(tasks, last, SHOWS), { cache_control: 'no-store' });
  };
