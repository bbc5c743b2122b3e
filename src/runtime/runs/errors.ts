import { Problem } from '#core/problem/problem.ts';

export const capabilityUnknown = (detail: string): Problem =>
  new Problem('not_found', 'execution.capability_unknown', detail);

export const versionGone = (name: string, asked: string, present: string): Problem =>
  new Problem(
    'gone',
    'execution.version_gone',
    `${name} is not there in version ${asked} any more; it is ${present} now.`,
  );

/** What operators took down is not run, whoever pinned it; `cause` says what was found. */
export const takenDown = ({ message, extensions }: Pick<Problem, 'message' | 'extensions'>): Problem =>
  new Problem('gone', 'execution.taken_down', message, { extensions });

export const kindUnsupported = (kind: string, known: string[]): Problem =>
  new Problem('unprocessable', 'execution.kind_unsupported', `A ${kind} cannot be run here; ${known.join(', ')} can.`);

/** The reason of an error as runs and tasks show it: `execution.version_gone` reads `version_gone`. */
export const reasonOf = ({ code }: Problem): string => code.slice(code.indexOf('.') + 1);
