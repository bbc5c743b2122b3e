import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';

export const capabilityUnknown = (detail: string): Problem => runtimeProblem('runs.not_found', detail);

export const versionGone = (name: string, asked: string, present: string): Problem =>
  runtimeProblem('runs.gone', `${name} has no version ${asked} any more; the current version is ${present}.`, {
    reason: 'version_gone',
  });

/** Capabilities that operators took down do not run, even if they are pinned; `cause` has the reason. */
export const takenDown = ({ message, extensions }: Pick<Problem, 'message' | 'extensions'>): Problem =>
  runtimeProblem('runs.gone', message, { reason: 'taken_down', extensions });

export const kindUnsupported = (kind: string, known: string[]): Problem =>
  runtimeProblem('runs.reference_invalid', `A ${kind} cannot be run here; ${known.join(', ')} can.`, {
    reason: 'kind_unsupported',
  });

/** The reason of an error as runs and tasks show it, such as `version_gone`; whatever was not found is `not_found`. */
export const reasonOf = ({ kind, code, reason }: Problem): string =>
  reason === undefined || kind === 'not_found' ? code.slice(code.indexOf('.') + 1) : reason;
