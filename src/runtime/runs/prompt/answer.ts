import { Problem } from '#core/problem/problem.ts';
import { hasManyParts } from '#core/text/json-text.ts';
import type { RunOrder } from '../capability.ts';
import { COMPLETED, cancelled, emptyOutcome, failed, type Outcome, type Verdict } from '../result.ts';

/** Converts the last message of a model to the result of the run. */
export function answered({ text }: { text: string }, { limits, on_output }: RunOrder): Outcome {
  const bytes = Buffer.from(text, 'utf8');
  if (text.trim() === '') return emptyOutcome(failed('model_no_answer', 'The model finished without an answer.'));
  if (bytes.length > limits.output_bytes)
    return emptyOutcome(failed('output_exceeded', `The answer of the model is over ${limits.output_bytes} bytes.`));
  // Only the final text is output, not the text between tool calls.
  on_output?.('stdout', bytes);
  return { ...emptyOutcome(COMPLETED), output: outputOf(text), stdout: text };
}

/** The answer of a model as output: JSON if all of it is JSON, fenced or not, otherwise the text. */
export function outputOf(text: string): unknown {
  if (hasManyParts(text)) return text;
  const [, fenced] = /^```(?:json)?[^\S\n]*\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return text;
  }
}

/** The outcome of a run whose model gave no answer. */
export function verdictOn(error: unknown, { signal, limits }: RunOrder, late: AbortSignal): Verdict {
  if (signal.aborted) return cancelled('The run was cancelled.');
  if (late.aborted)
    return failed('timed_out', `The run was stopped at its time limit of ${limits.timeout_ms / 1_000} s.`);
  if (!(error instanceof Problem && error.code.startsWith('llm.'))) throw error;
  return failed(REASONS[error.reason ?? error.code] ?? 'model_failed', error.message);
}

/** By the reason of the failure, or by its code if it has none. */
const REASONS: Record<string, string> = {
  broken_answer: 'model_broken_answer',
  'llm.filtered': 'model_filtered',
  'llm.limit_exceeded': 'budget_exceeded',
  'llm.timeout': 'timed_out',
  rate_limited: 'model_rate_limited',
  refused: 'model_refused',
  unreachable: 'model_unavailable',
};
