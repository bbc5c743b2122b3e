import { LRUCache } from 'lru-cache';
import { type Breaker, breaker } from '#core/llm/breaker.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import type { AidState } from '../query/aid.ts';
import type { AskOutcome } from './meter.ts';

/** Asks a model on behalf of searches: within a time, once for each question, and not at all while it keeps failing. */
export interface InTime<Question, Answer> {
  ask(key: string, question: Question): Promise<{ state: 'used'; answer: Answer } | { state: Missing }>;
}

type Missing = Exclude<AidState, 'used' | 'off' | 'no_vectors'>;

interface InTimeOptions<Question, Answer> {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  wait_ms: number;
  note(outcome: AskOutcome): void;
  /** Whether another request is within the pace. */
  mayAsk?: () => boolean;
  most_kept?: number;
  now?: () => number;
  rests?: Breaker;
}

/** A late answer is still useful to the next search for the same. */
const LONGEST_MS = 10_000;
const MOST_UNDER_WAY = 16;
/** So that the pages of a search that was answered without a model are in the same order. */
const HOLD_MS = 10_000;

export function askInTime<Question, Answer extends object>({
  ask,
  wait_ms,
  note,
  mayAsk = () => true,
  most_kept = 2_000,
  now = () => performance.now(),
  rests = breaker({ now }),
}: InTimeOptions<Question, Answer>): InTime<Question, Answer> {
  const kept = new LRUCache<string, Answer>({ max: most_kept });
  const underWay = new Map<string, Promise<Answer | null>>();
  const held = new LRUCache<string, { state: Missing; until: number }>({ max: most_kept });
  const begin = async (key: string, question: Question): Promise<Answer | null> => {
    const signal = AbortSignal.timeout(Math.max(LONGEST_MS, wait_ms));
    const begunMs = now();
    try {
      const answer = await ask(question, signal);
      kept.set(key, answer);
      // A model that is always slow would make every new search wait in vain.
      const isLate = now() - begunMs > wait_ms;
      rests.ended(isLate ? { ok: false, wait_ms: null } : { ok: true });
      note(isLate ? 'late' : 'ok');
      return answer;
    } catch (error) {
      rests.ended({ ok: false, wait_ms: retryAfterMs(error) });
      note(signal.aborted ? 'timeout' : outcomeOf(error));
      return null;
    }
  };
  /** Null while it must not be asked. */
  const asking = (key: string, question: Question): Promise<Answer | null> | null => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    if (underWay.size >= MOST_UNDER_WAY || !rests.mayAsk()) return null;
    const begun = begin(key, question).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
  const without = (key: string, state: Missing): { state: Missing } => {
    held.set(key, { state, until: now() + HOLD_MS });
    return { state };
  };
  return {
    async ask(key, question) {
      const before = held.get(key);
      if (before !== undefined && now() < before.until) return { state: before.state };
      const known = kept.get(key);
      if (known !== undefined) return { state: 'used', answer: known };
      const isPaced = underWay.has(key) || mayAsk();
      const asked = isPaced ? asking(key, question) : null;
      if (asked === null) {
        note('skipped');
        return without(key, 'resting');
      }
      const answer = await within(wait_ms, asked);
      if (answer === 'late') return without(key, 'late');
      return answer === null ? without(key, 'failed') : { state: 'used', answer };
    },
  };
}

/** Or 'late' after that time. The promise is not ended. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late');
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function outcomeOf(error: unknown): AskOutcome {
  if (isProblem(error, 'llm.unavailable', 'rate_limited')) return 'rate_limited';
  if (isProblem(error, 'llm.timeout')) return 'timeout';
  return isProblem(error, 'llm.failed', 'broken_answer') ? 'invalid' : 'failed';
}

/** What the model's server asked for; null if it did not. */
export function retryAfterMs(error: unknown): number | null {
  const seconds = error instanceof Problem ? Number(error.headers['retry-after'] ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}
