import { LRUCache } from 'lru-cache';
import type { Share } from '#core/fair-queue/share.ts';
import type { WorkKind } from './kind.ts';
import { type WorkerPool, worker_pool } from './worker-pool.ts';

/** Runs work whose result depends only on its request once, and caches it; evicts the least recently used. */
type KeptWork<Request, Answer> = (key: string, request: Request, share: Share) => Promise<KeptOutcome<Answer>>;

type KeptOutcome<Answer> =
  | { status: 'done'; answer: Answer }
  /** Takes too long or too much memory for any requester. Cached too. */
  | { status: 'failed' }
  /** Not now: the queue is full, or the requester's processor time is used up. */
  | { status: 'refused' };

interface KeptWorkOptions<Request, Answer> {
  kind: WorkKind<Request, Answer>;
  pool?: Pick<WorkerPool, 'run'> | undefined;
  most_kept_bytes: number;
  bytesOf(answer: Answer): number;
}

/** Size of the key and the entry. */
const ENTRY_BYTES = 200;

export function createKeptWork<Request, Answer>(options: KeptWorkOptions<Request, Answer>): KeptWork<Request, Answer> {
  const { kind, pool = worker_pool, most_kept_bytes, bytesOf } = options;
  const kept = new LRUCache<string, KeptOutcome<Answer>>({
    maxSize: most_kept_bytes,
    sizeCalculation: (outcome) => ENTRY_BYTES + (outcome.status === 'done' ? bytesOf(outcome.answer) : 0),
  });
  /** Concurrent requests for the same key share one result. */
  const underWay = new Map<string, Promise<KeptOutcome<Answer>>>();

  const work = async (key: string, request: Request, share: Share): Promise<KeptOutcome<Answer>> => {
    const outcome = await pool.run(kind, request, { share });
    if (outcome.status === 'busy' || outcome.status === 'over_budget') return { status: 'refused' };
    const ended: KeptOutcome<Answer> =
      outcome.status === 'done' ? { status: 'done', answer: outcome.answer } : { status: 'failed' };
    kept.set(key, ended);
    return ended;
  };
  return async (key, request, share) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const begun = underWay.get(key);
    if (begun !== undefined) return begun;
    const working = work(key, request, share).finally(() => underWay.delete(key));
    underWay.set(key, working);
    return working;
  };
}
