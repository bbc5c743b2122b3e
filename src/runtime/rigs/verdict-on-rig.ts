import { checkBusy } from './check-rig.ts';
import type { RigsDeps } from './deps.ts';
import { verifyLock } from './lock-rig.ts';
import type { CheckResult } from './rig-checks.ts';
import type { Owned } from './rigs.ts';
import { storedRig } from './stored-rig.ts';

interface VerifyOrder {
  version?: string;
  run_checks?: boolean;
}

/** Whether a rig matches its lock and, if requested, passes its checks. */
export async function verdictOnRig(
  deps: Pick<RigsDeps, 'db' | 'gather' | 'runCheck' | 'checking'>,
  of: Owned,
  { version, run_checks = false }: VerifyOrder,
  signal: AbortSignal,
) {
  const stored = await storedRig(deps.db, of, version);
  const { rig, lock, findings } = await verifyLock(deps, stored);
  let checks: CheckResult[] | null = null;
  if (run_checks && findings.length === 0) {
    const at = { user_id: of.user_id, rig_id: stored.row.id, version: stored.version.version };
    checks = await alone(deps.checking, of.user_id, async () => {
      const results: CheckResult[] = [];
      // Checks run one after the other, so that they use no more of the service than one run.
      for (const check of rig.spec.checks) results.push(await deps.runCheck(at, check, signal));
      return results;
    });
  }
  return {
    verified: findings.length === 0 && (checks ?? []).every(({ passed }) => passed),
    version: stored.version.version,
    lock_digest: lock.digest,
    findings,
    checks,
  };
}

/** Throws `http.unavailable` (`checks`) where checks of this user are being run already. */
async function alone<T>(checking: Set<string>, userId: string, run: () => Promise<T>): Promise<T> {
  if (checking.has(userId)) throw checkBusy('Checks of your rigs are being run; ask again when they are done.');
  checking.add(userId);
  try {
    return await run();
  } finally {
    checking.delete(userId);
  }
}
