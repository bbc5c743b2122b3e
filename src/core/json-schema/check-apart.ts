import { coreProblem } from '#core/errors.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { workKind } from '#core/workers/kind.ts';
import { worker_pool } from '#core/workers/worker-pool.ts';
import { cheapCheck } from './cheap-check.ts';
import type { Checked } from './check.ts';
import { schemaFault } from './fault.ts';

const CHECK = workKind<typeof import('./check-worker.ts')>(new URL('./check-worker.ts', import.meta.url));

/** Why a value was not checked. */
interface Refused {
  refused: 'busy' | 'over_budget';
  retry_after_s: number;
}

/** 503 if too many checks are queued, 429 if the requester's processor time is used up. */
export function refusedCheck({ refused, retry_after_s }: Refused): Problem {
  const headers = { 'retry-after': `${retry_after_s}` };
  return refused === 'busy'
    ? coreProblem('http.unavailable', `Too many schema checks are queued. Retry in ${retry_after_s} s.`, {
        reason: 'checks',
        headers,
      })
    : coreProblem(
        'http.limit_exceeded',
        `Your recent schema checks took too long. Retry in ${retry_after_s} s, with simpler schemas.`,
        { reason: 'checks', headers },
      );
}

const faults = new WeakMap<object, string | null>();

/** Schemas are parsed once and never changed. */
function faultOf(schema: Record<string, unknown>): string | null {
  const known = faults.get(schema);
  if (known !== undefined) return known;
  const fault = schemaFault(schema);
  faults.set(schema, fault);
  return fault;
}

/**
 * Checks against untrusted schemas, which can be recursive, exponential or full of slow patterns: those that are certain to be
 * cheap at once, all others in a worker thread in the turn of `share`. Schemas are never compiled to code. Throws the signal's reason when it aborts.
 */
export async function checkApart(
  schema: Record<string, unknown>,
  input: unknown,
  share: Share,
  signal?: AbortSignal,
): Promise<Checked | Refused> {
  signal?.throwIfAborted();
  const fault = faultOf(schema);
  if (fault !== null) return { unusable: fault };
  const cheap = cheapCheck(schema, input);
  if (cheap !== null) return cheap;
  const outcome = await worker_pool.run(CHECK, { schema, input }, { share, signal });
  switch (outcome.status) {
    case 'done':
      return outcome.answer;
    case 'timeout':
      return { unusable: 'takes too long to validate' };
    case 'out_of_memory':
      return { unusable: 'takes too much memory to validate' };
    case 'crashed':
      return { unusable: 'cannot be validated' };
    default:
      return { refused: outcome.status, retry_after_s: outcome.retry_after_s };
  }
}
