import { defined } from '#core/defined.ts';
import { Problem } from '#core/problem/problem.ts';

/** An error as plain data, for another thread or process. Structured cloning would keep only its message. */
export type Thrown =
  | { problem: Pick<Problem, 'kind' | 'code' | 'message' | 'errors' | 'headers' | 'extensions'> }
  | { name: string; message: string; stack: string; code: unknown };

export function writeThrown(error: unknown): Thrown {
  if (error instanceof Problem) {
    const { kind, code, message, errors, headers, extensions } = error;
    return { problem: { kind, code, message, errors, headers, extensions } };
  }
  const { name = 'Error', message = String(error), stack = '', code } = error as Error & { code?: unknown };
  return { name, message, stack, code: typeof code === 'string' ? code : undefined };
}

export function readThrown(thrown: Thrown): Error {
  if (!('problem' in thrown)) return Object.assign(new Error(thrown.message), thrown);
  const { kind, code, message, errors, ...rest } = thrown.problem;
  return new Problem(kind, code, message, { ...defined({ errors }), ...rest });
}
