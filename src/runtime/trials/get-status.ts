import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { trialsContract } from './contract.ts';
import type { TrialsDeps } from './deps.ts';
import { trialsLeft, untilTomorrow } from './trial-days.ts';

/** GET /api/trials */
export const getTrialStatus =
  ({ tasks: { db, clock }, limits }: TrialsDeps): Handler<typeof trialsContract.getStatus> =>
  async ({ address }) => {
    const nowMs = clock.now();
    const isOff = limits.per_day === 0;
    const runs_left = isOff ? 0 : await trialsLeft(db, address, limits, nowMs);
    const resets_at = isoTime(nowMs + untilTomorrow(nowMs));
    return json({ per_day: isOff ? 0 : limits.per_address, runs_left, resets_at }, { cache_control: 'no-store' });
  };
