import { type Clock, isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { doctorContract } from './contract.ts';
import { reportOf } from './report.ts';
import type { CheckResult } from './run-checks.ts';

export interface DoctorDeps {
  clock: Clock;
  /** Runs every check. */
  examine(): Promise<CheckResult[]>;
}

/** POST /api/operator/doctor */
export function runDoctorChecks({ clock, examine }: DoctorDeps): Handler<typeof doctorContract.run> {
  let running: Promise<CheckResult[]> | null = null;
  return async () => {
    // The checks start processes and ask other hosts: one run at a time is enough.
    running ??= examine().finally(() => {
      running = null;
    });
    return json({ ...reportOf(await running), checked_at: isoTime(clock.now()) });
  };
}
