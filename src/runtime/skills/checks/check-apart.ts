import type { Violation } from '#catalog/checks/violation.ts';
import { coreProblem } from '#core/errors.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { type WorkKind, workKind } from '#core/workers/kind.ts';
import { worker_pool } from '#core/workers/worker-pool.ts';
import type { CheckedSkill } from './check-skill.ts';
import type { CheckRequest } from './check-skill-work.ts';

/** Runs the static checks in the worker pool, queued per requester, because a megabyte of text takes too long here. */

const CHECK = workKind<typeof import('./check-skill-work.ts')>(new URL('./check-skill-work.ts', import.meta.url));

/** Throws as `runCheck` does. */
export async function checkSkillApart(request: CheckRequest, share: Share): Promise<CheckedSkill> {
  const { skill } = await runCheck(CHECK, { kind: 'skill' as const, ...request }, share);
  return skill as CheckedSkill;
}

/** Checks each file separately. Throws the errors of `runCheck`. */
export async function checkFilesApart(files: CheckRequest['files'], share: Share): Promise<Violation[]> {
  const { violations } = await runCheck(CHECK, { kind: 'files' as const, files }, share);
  return violations;
}

/**
 * Throws `http.unavailable` (`checks`) if too many checks are queued, `http.limit_exceeded` (`checks`) if the requester's
 * processor time is used up, `http.invalid` (`input`) if this check takes too long.
 */
export async function runCheck<Request, Answer>(
  kind: WorkKind<Request, Answer>,
  request: Request,
  share: Share,
): Promise<Answer> {
  const outcome = await worker_pool.run(kind, request, { share });
  switch (outcome.status) {
    case 'done':
      return outcome.answer;
    case 'busy':
      throw coreProblem('http.unavailable', `Too many checks are queued. Retry in ${outcome.retry_after_s} s.`, {
        reason: 'checks',
        headers: { 'retry-after': `${outcome.retry_after_s}` },
      });
    case 'over_budget':
      throw coreProblem(
        'http.limit_exceeded',
        `Your recent checks took too long. Retry in ${outcome.retry_after_s} s.`,
        { reason: 'checks', headers: { 'retry-after': `${outcome.retry_after_s}` } },
      );
    default: {
      const detail = 'take too long to check; send fewer or shorter files';
      throw coreProblem('http.invalid', `The files ${detail}.`, {
        reason: 'input',
        errors: [{ pointer: '/files', detail }],
      });
    }
  }
}
