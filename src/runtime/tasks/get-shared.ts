import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchShare } from './refusals.ts';
import { sharedRun } from './shared-run.ts';
import { findShared, shownShare } from './shares.ts';

/** GET /api/shared-runs/{token}. Never cached, so that a revoked link stops working at once. */
export const getSharedRun =
  (deps: TasksDeps): Handler<typeof tasksContract.getShared> =>
  async ({ params: { token } }) => {
    const found = await findShared(deps.db, token, isoTime(deps.clock.now()));
    if (found === undefined) throw noSuchShare();
    const shared = await sharedRun(deps, found.task, shownShare(found.share).shows);
    return json(shared, { cache_control: 'private, no-store', headers: { 'x-robots-tag': 'noindex' } });
  };
