import { Problem } from '#core/problem/problem.ts';
import type { RunOrder } from './capability.ts';
import type { Verdict } from './run.ts';

/** What a conversation with a model that came to no answer means for its run. */

export const failed = (reason: string, error: string): Verdict => ({ status: 'failed', reason, error });

export function verdictOn(error: unknown, { signal, limits }: RunOrder, late: AbortSignal): Verdict {
  if (signal.aborted) return { status: 'cancelled', reason: 'cancelled', error: 'The run was cancelled.' };
  if (late.aborted)
    return failed('timed_out', `The run was ended at its time limit of ${limits.timeout_ms / 1_000} s.`);
  if (!(error instanceof Problem && error.code.startsWith('llm.'))) throw error;
  return failed(REASONS[error.code] ?? 'model_failed', error.message);
}

const REASONS: Record<string, string> = {
  'llm.broken_answer': 'model_broken_answer',
  'llm.budget': 'budget_exceeded',
  'llm.filtered': 'model_filtered',
  'llm.rate_limited': 'model_rate_limited',
  'llm.refused': 'model_refused',
  'llm.timeout': 'timed_out',
  'llm.unavailable': 'model_unavailable',
};
