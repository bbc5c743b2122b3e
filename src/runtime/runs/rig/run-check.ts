import type { Kysely } from 'kysely';
import { type CountQuota, dayOf, giveBack, takeRequest } from '#accounts/quotas/quota.ts';
import { findUser } from '#accounts/users/users.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import type { RunCheck } from '#runtime/rigs/deps.ts';
import { type CheckResult, unmet } from '#runtime/rigs/rig-checks.ts';
import type { ResolveCapability, RunCaller } from '../capability.ts';
import { checkInput } from '../check-input.ts';
import type { Execution } from '../execution.ts';

export interface RunCheckDeps {
  db: Kysely<Schema>;
  clock: Clock;
  resolve: ResolveCapability;
  run: Execution['run'];
  countQuota?: CountQuota | undefined;
}

const OUTPUT_BYTES = 1024 * 1024;

/** A check is a run like any other, with its trace, but for the receipt: nobody asked for its answer. */
export const runRigCheck =
  ({ resolve, run, ...deps }: RunCheckDeps): RunCheck =>
  async ({ user_id, rig_id, version }, { name, input, expect }, signal) => {
    const result = (wrong: string[], trace_id: string | null): CheckResult => ({
      name,
      passed: wrong.length === 0,
      detail: wrong.join(' '),
      trace_id,
    });
    const caller = callerOf(deps, user_id);
    try {
      const capability = await resolve({ kind: 'rig', ref: rig_id, version }, caller);
      await checkInput(capability, input, caller.share);
      const limits = { output_bytes: OUTPUT_BYTES };
      const outcome = await run(capability, { input, caller, limits, record_content: true, signal });
      return result(unmet(expect, outcome), outcome.trace_id);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'quota_exceeded') throw error;
      return result([error.message], null);
    }
  };

/** Whose request to a language model is counted. */
function callerOf(
  { db, clock, countQuota }: Pick<RunCheckDeps, 'db' | 'clock' | 'countQuota'>,
  user_id: string,
): RunCaller {
  let day: string | null = null;
  return {
    user_id,
    share: userShare(user_id),
    charge: async () => {
      if (day !== null) return;
      const tier = (await findUser(db, user_id))?.tier ?? 'free';
      const now_ms = clock.now();
      await takeRequest(db, { user_id, tier }, now_ms, countQuota);
      day = dayOf(now_ms);
    },
    refund: async () => {
      if (day !== null) await giveBack(db, user_id, day, countQuota);
      day = null;
    },
  };
}
