import { coreProblem } from '#core/errors.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { redactSecrets } from '#core/text/redact.ts';

/** Converts errors of a provider to Problems `llm.*`, which never contain a key, a request or a response. */

/** The provider, model and limits of the failed call. */
export interface Called {
  provider: string;
  /** Redacted wherever a provider repeats it. */
  key: string | null;
}

export const unavailable = ({ provider }: Called, why: string, cause?: unknown): Problem =>
  coreProblem('llm.unavailable', `Request to ${provider} failed: ${why}.`, { reason: 'unreachable', cause });

export const rateLimited = ({ provider }: Called, wait_ms: number | null): Problem =>
  coreProblem('llm.unavailable', `${provider} rate limit exceeded. Retry later.`, {
    reason: 'rate_limited',
    headers: wait_ms === null ? {} : { 'retry-after': `${Math.max(1, Math.ceil(wait_ms / 1_000))}` },
  });

export function refused(called: Called, status: number, said: string): Problem {
  const words = plain(called, said);
  const detail = `${called.provider} rejected the request (${status})${words === '' ? '' : `: ${words}`}`;
  return coreProblem('llm.failed', detail.replace(/[.!]?$/, '.'), { reason: 'refused' });
}

export const filtered = ({ provider }: Called): Problem =>
  coreProblem('llm.filtered', `${provider} declined to respond to this input.`);

export const timedOut = ({ provider }: Called): Problem =>
  coreProblem('llm.timeout', `Request to ${provider} timed out.`);

export const broken = ({ provider }: Called, why: string): Problem =>
  coreProblem('llm.failed', `Invalid response from ${provider}: it ${why}.`, { reason: 'broken_answer' });

export const overBudget = (why: string): Problem => coreProblem('llm.limit_exceeded', why);

/** Explains an exception of the SDK, the stream or the transport. The signal's own reason is returned unchanged. */
export function explainFailure(error: unknown, called: Called, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const problem = causes(error).find((cause) => cause instanceof Problem) as Problem | undefined;
  if (problem?.code.startsWith('llm.')) return problem;
  if (isProblem(problem, 'outbound.failed', 'too_large')) return broken(called, 'was too large');
  if (problem !== undefined) return broken(called, 'ended early');
  // An SDK error contains the request and the response. For errors that the provider caused, only its sentence is used.
  const { name, message } = error as Error;
  if (name === 'AI_ToolChoiceViolationError')
    return overBudget('The model called tools when it was required to give a final response.');
  const said = name === 'AI_StreamProviderError' ? plain(called, message) : '';
  if (said !== '') return broken(called, `ended with an error: ${said.replace(/[.!]$/, '')}`);
  return broken(called, 'had an invalid format');
}

/** One line of the provider's message, without secrets and terminal control characters. */
function plain({ key }: Called, said: string): string {
  const masked = key === null || key === '' ? said : said.replaceAll(key, '[redacted]');
  const line = redactSecrets(masked.slice(0, 2_000)).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return line.trim().slice(0, 300);
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 16; cause = cause.cause) chain.push(cause);
  return chain;
}
