import type { Share } from '#core/fair-queue/share.ts';
import { workKind } from '#core/workers/kind.ts';
import { runCheck } from '#runtime/skills/checks/check-apart.ts';
import type { CheckRequest } from '#runtime/skills/checks/check-skill-work.ts';
import type { CheckedHarness } from './check-harness.ts';

const CHECK = workKind<typeof import('./check-harness-work.ts')>(new URL('./check-harness-work.ts', import.meta.url));

/** The static checks of a harness in a thread of the worker pool. Throws as `runCheck` does. */
export const checkHarnessApart = (request: CheckRequest, share: Share): Promise<CheckedHarness> =>
  runCheck(CHECK, request, share);
