import { type Handler, jsonText } from '#core/http/operation.ts';
import { sharedRun } from '#runtime/tasks/shared-run.ts';
import { waitForTask } from '#runtime/tasks/wait-for-task.ts';
import { beginTrial } from './begin.ts';
import type { trialsContract } from './contract.ts';
import type { TrialsDeps } from './deps.ts';
import { SHOWS } from './queue-run.ts';

/** POST /api/trials */
export const createTrial =
  (deps: TrialsDeps): Handler<typeof trialsContract.create> =>
  async ({ body: { wait_ms = 0, ...order }, address, origin, signal }) => {
    const { task, token, left } = await beginTrial(deps, order, { address, origin });
    const { user_id, id } = task;
    const until = performance.now() + wait_ms;
    const last =
      wait_ms === 0 ? task : await waitForTask(deps.tasks, { user_id, id }, until, { progress: () => {}, signal });
    const facts = JSON.stringify({ token, path: `/r/${token}`, runs_left: left });
    const run = await sharedRun(deps.tasks, last, SHOWS);
    return jsonText(`${facts.slice(0, -1)},"run":${run}}`, { status: 201, cache_control: 'no-store' });
  };
