import type { Problem } from '#core/problem/problem.ts';

/** The tool that helps after a failure, as a sentence. Error pages name requests instead, which models cannot send. */
const NEXT_TOOL: Readonly<Record<string, string>> = {
  'runs.not_found': 'Find its id with marketplace_search.',
};

/** What a model reads of a failure, without its code. */
export function messageFor({ code, message }: Pick<Problem, 'code' | 'message'>): string {
  const next = NEXT_TOOL[code];
  return next === undefined ? message : `${message} ${next}`;
}
