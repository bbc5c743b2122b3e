import type { Violation } from '#catalog/checks/violation.ts';
import { defined } from '#core/defined.ts';
import { type CheckedSkill, checkSkill, fileViolations } from './check-skill.ts';

/** Work for a thread of the worker pool: the static checks of untrusted files. */

export interface CheckRequest {
  files: ReadonlyMap<string, Uint8Array>;
  /** All given paths, including duplicates. */
  paths?: string[] | undefined;
  /** The name of the directory, which must equal the name of the skill. */
  directory?: string | undefined;
}

type Request = ({ kind: 'skill' } & CheckRequest) | { kind: 'files'; files: CheckRequest['files'] };

interface CheckAnswer {
  skill: CheckedSkill | null;
  /** Of files that are neither a skill nor a harness; empty for a skill, which has its own. */
  violations: Violation[];
}

export const run = (request: Request): CheckAnswer =>
  request.kind === 'files'
    ? { skill: null, violations: [...request.files].flatMap(([path, bytes]) => fileViolations(path, bytes)) }
    : { skill: checkSkill(request.files, aboutOf(request)), violations: [] };

/** Omits missing members, which the checks distinguish from undefined ones. */
export const aboutOf = ({ paths, directory }: CheckRequest): { paths?: string[]; directory?: string } => ({
  ...defined({ paths, directory }),
});
