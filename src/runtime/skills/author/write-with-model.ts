import type { Kysely } from 'kysely';
import { type CountQuota, dayOf, giveBack, takeRequest } from '#accounts/quotas/quota.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller } from '#core/http/caller.ts';
import { type Message, type Model, userMessage } from '#core/llm/model.ts';
import type { Models } from '#core/llm/models.ts';
import { Problem } from '#core/problem/problem.ts';

/** Has a language model write something that is checked, with one attempt to fix errors. Counts as one LLM request. */

export interface ModelDeps {
  db: Kysely<Schema>;
  clock: Clock;
  models: Pick<Models, 'pick' | 'missing' | 'limits'>;
  countQuota?: CountQuota;
}

interface WriteOrder<T> {
  caller: Caller | null;
  signal: AbortSignal;
  system: string;
  /** Goes to the model as JSON. */
  ask: unknown;
  /** Checks the answer: returns the result, or its errors, one line each, for the model to fix. */
  read(text: string): Promise<{ value: T } | { faults: string[] }>;
}

/** If no model wrote it, `reason` explains why in one sentence. */
type Written<T> = { value: T; model: string } | { reason: string };

const TIMEOUT_MS = 120_000;
const ROUNDS = 2;
const MOST_FAULTS = 20;

/** Throws only bugs, or the signal's reason if the caller is gone. */
export async function writeWithModel<T>(deps: ModelDeps, order: WriteOrder<T>): Promise<Written<T>> {
  const { caller, signal } = order;
  if (caller === null) return { reason: 'Nobody is signed in, and a language model works for signed-in callers only.' };
  const model = deps.models.pick();
  if (model === null) return { reason: deps.models.missing() ?? 'No language model is configured.' };
  const nowMs = deps.clock.now();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const progress = { started: false };
  try {
    await takeRequest(deps.db, caller, nowMs, deps.countQuota);
  } catch (error) {
    return { reason: reasonOf(error) };
  }
  try {
    return await converse(
      model,
      deps.models.limits.max_output_tokens,
      order,
      AbortSignal.any([signal, late]),
      progress,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    if (late.aborted) return { reason: `${model.id} took longer than ${TIMEOUT_MS / 1_000} s.` };
    return { reason: reasonOf(error) };
  } finally {
    if (!progress.started) await giveBack(deps.db, caller.user_id, dayOf(nowMs), deps.countQuota);
  }
}

async function converse<T>(
  model: Model,
  max_output_tokens: number,
  { system, ask, read }: WriteOrder<T>,
  signal: AbortSignal,
  progress: { started: boolean },
): Promise<Written<T>> {
  const messages: Message[] = [userMessage(`The request, as JSON: ${JSON.stringify(ask)}`)];
  const on_start = () => {
    progress.started = true;
  };
  let faults: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const answer = await model.generate({ system, messages, max_output_tokens, signal, on_start });
    const verdict =
      answer.finish_reason === 'length'
        ? { faults: ['The answer was truncated: write less.'] }
        : await read(answer.text);
    if ('value' in verdict) return { value: verdict.value, model: model.id };
    faults = verdict.faults;
    const told = faults.slice(0, MOST_FAULTS).map((fault) => `- ${fault}`);
    messages.push(
      ...answer.messages,
      userMessage(`This breaks the rules:\n${told.join('\n')}\nAnswer again in full, with these errors fixed.`),
    );
  }
  return { reason: `The text of ${model.id} broke the rules twice: ${faults[0]}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem && /^(?:llm|users)\./.test(error.code)) return error.message;
  throw error;
}

/** The JSON object of an answer, with or without a fence or words around it; null if there is none. */
export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
