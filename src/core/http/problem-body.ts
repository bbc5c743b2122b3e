import { defined } from '#core/defined.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';

/** RFC 9457. `type` is the URL of the code's page under /docs/errors. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  /** Of the code's reasons, on its page. */
  reason?: string;
  /** Seconds, as in the header. */
  retry_after?: number;
  errors?: FieldError[];
}

export function problemBody(problem: Problem, request_id: string): ProblemBody {
  const retryAfter = problem.headers['retry-after'];
  return {
    type: `/docs/errors/${problem.code}`,
    title: titleOf(problem.kind),
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id,
    ...defined({ errors: problem.errors, retry_after: retryAfter === undefined ? undefined : Number(retryAfter) }),
    ...problem.extensions,
  };
}

/** `not_found` becomes "Not found". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');
