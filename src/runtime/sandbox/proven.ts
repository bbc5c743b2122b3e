import { runtimeProblem } from '#runtime/errors.ts';
import { ISOLATION_LEVELS, type IsolationLevel, type Sandbox, type SelfTest } from './sandbox.ts';

/**
 * The same sandbox, which runs nothing below the level that the operator asks for (`runs.unavailable` (`sandbox_too_weak`)), and
 * nothing where its limits do not hold (`runs.unavailable` (`sandbox_unsafe`)).
 */
export function proven(sandbox: Sandbox, min: IsolationLevel): Sandbox {
  const selfTest = async (): Promise<SelfTest> => {
    if (rank(sandbox.isolation) < rank(min)) return tooWeak(sandbox.isolation, min);
    const { ok, reason } = await sandbox.selfTest();
    return { ok, reason, code: ok ? null : 'sandbox_unsafe' };
  };
  return {
    isolation: sandbox.isolation,
    counts: () => sandbox.counts(),
    close: () => sandbox.close(),
    selfTest,
    run: async (request) => {
      const { ok, code, reason } = await selfTest();
      if (ok) return sandbox.run(request);
      const detail = `Scripts are not run here. ${reason}`;
      if (code === 'sandbox_too_weak') throw runtimeProblem('runs.unavailable', detail, { reason: 'sandbox_too_weak' });
      throw runtimeProblem('runs.unavailable', detail, { reason: 'sandbox_unsafe' });
    },
  };
}

const rank = (level: IsolationLevel): number => ISOLATION_LEVELS.indexOf(level);

const tooWeak = (level: IsolationLevel, min: IsolationLevel): SelfTest => ({
  ok: false,
  code: 'sandbox_too_weak',
  reason:
    `This machine offers ${level}, but CAPSTAN_SANDBOX_MIN requires ${min}: ` +
    'install bubblewrap (bwrap) and let it make user namespaces, or lower the setting.',
});
