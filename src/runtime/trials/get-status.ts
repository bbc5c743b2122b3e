import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { MOST_INPUT_BYTES } from './begin.ts';
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
    const per_day = isOff ? 0 : limits.per_address;
    return json({ per_day, runs_left, resets_at, input_bytes: MOST_INPUT_BYTES }, { cache_control: 'no-store' });
  };
