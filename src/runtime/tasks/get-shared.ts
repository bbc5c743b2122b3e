import { isoTime } from '#core/clock/clock.ts';
import { createFairQueue } from '#core/fair-queue/fair-queue.ts';
import { shareInForce } from '#core/fair-queue/on-behalf-of.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchShare } from './refusals.ts';
import { sharedRun } from './shared-run.ts';
import { findShared, shownShare } from './shares.ts';

/** Requests are limited where they arrive. */
const MOST = Number.POSITIVE_INFINITY;

/** GET /api/shared-runs/{token}. Never cached, so that a revoked link stops working at once. */
export function getSharedRun(deps: TasksDeps): Handler<typeof tasksContract.getShared> {
  // Several large runs that are ready together would be answered in one go, and hold the event loop for all of them.
  const turns = createFairQueue({ places: 1, waiting: MOST, waiting_per_share: MOST });
  return async ({ params: { token } }) => {
    const found = await findShared(deps.db, token, isoTime(deps.clock.now()));
    if (found === undefined) throw noSuchShare();
    const shared = await turns.run(shareInForce(), async () => {
      await ownTurn();
      return sharedRun(deps, found.task, shownShare(found.share).shows);
    });
    return jsonText(shared, { cache_control: 'private, no-store', headers: { 'x-robots-tag': 'noindex' } });
  };
}
