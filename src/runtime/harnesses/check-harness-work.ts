import { aboutOf, type CheckRequest } from '#runtime/skills/checks/check-skill-work.ts';
import { type CheckedHarness, checkHarness } from './check-harness.ts';

/** Work for a thread of the worker pool: the static checks of an untrusted harness. */
export const run = (request: CheckRequest): CheckedHarness => checkHarness(request.files, aboutOf(request));
