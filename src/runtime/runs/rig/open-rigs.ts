import type { CountQuota } from '#accounts/quotas/quota.ts';
import type { RigsDeps } from '#runtime/rigs/deps.ts';
import type { Capability, ResolveKind, RunCaller, Unavailable } from '../capability.ts';
import type { Runs } from '../open-runs.ts';
import type { RigDeps } from './parts.ts';
import type { RigFiles } from './rig-of-files.ts';
import type { HarnessFiles } from './run-harness.ts';

/** Rigs as capabilities, and what their operations need. Everything is loaded with the first rig. */
export interface Rigs {
  resolve: ResolveKind;
  /** A published file for any caller. */
  ofFiles(files: RigFiles, caller: RunCaller): Promise<Capability | Unavailable>;
  /** The same for a harness. */
  ofHarness(files: HarnessFiles, caller: RunCaller): Promise<Capability>;
  deps: RigsDeps;
}

interface RigsOptions extends Omit<RigDeps, 'resolve'>, Pick<RigsDeps, 'rigs_per_user' | 'storage'> {
  /** The resolver, which also runs rigs and is known later. */
  runs(): Runs;
  countQuota?: CountQuota;
}

export function openRigs({ rigs_per_user, storage, runs, countQuota, ...options }: RigsOptions): Rigs {
  const { db, clock } = options;
  const deps: RigDeps = { ...options, resolve: (...asked) => runs().resolve(...asked) };
  const later = () => import('../resolve-rig.ts');
  return {
    resolve: async (...asked) => (await later()).resolveRig(deps)(...asked),
    ofFiles: async (...asked) => (await import('./rig-of-files.ts')).rigOfFiles(deps, ...asked),
    ofHarness: async (...asked) => (await import('./run-harness.ts')).harnessOfFiles(deps, ...asked),
    deps: {
      db,
      clock,
      rigs_per_user,
      storage,
      checking: new Set<string>(),
      gather: async (...asked) => (await later()).gatherParts(deps)(...asked),
      runCheck: async (...asked) => {
        const { runRigCheck } = await import('./run-check.ts');
        return runRigCheck({ db, clock, countQuota, runs: runs() })(...asked);
      },
    },
  };
}
