import { userShare } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import type { RunCheck } from '#runtime/rigs/deps.ts';
import { type CheckResult, unmet } from '#runtime/rigs/rig-checks.ts';
import { type CountedDeps, counted } from '../caller.ts';
import type { Runs } from '../open-runs.ts';

interface RunCheckDeps extends CountedDeps {
  runs: Pick<Runs, 'prepare' | 'run'>;
}

const OUTPUT_BYTES = 1024 * 1024;

/** A check is a normal run with a trace, but without a receipt. */
export const runRigCheck =
  ({ runs, ...deps }: RunCheckDeps): RunCheck =>
  async ({ user_id, rig_id, version }, { name, input, expect }, signal) => {
    const result = (wrong: string[], trace_id: string | null): CheckResult => ({
      name,
      passed: wrong.length === 0,
      detail: wrong.join(' '),
      trace_id,
    });
    const caller = counted(deps, { user_id, share: userShare(user_id) });
    try {
      const capability = await runs.prepare({ kind: 'rig', ref: rig_id, version }, caller, { input });
      const limits = { output_bytes: OUTPUT_BYTES };
      const ran = await runs.run(capability, { input, caller, limits, record_content: true, signal });
      return result(unmet(expect, ran.result), ran.result.trace_id);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'quota_exceeded') throw error;
      return result([error.message], null);
    }
  };
