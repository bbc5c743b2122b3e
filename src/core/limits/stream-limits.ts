import { coreProblem } from '#core/errors.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Problem } from '#core/problem/problem.ts';
import { openKeyedSemaphore } from '#core/threads/keyed-semaphore.ts';
import type { Threads } from '#core/threads/threads.ts';
import { clientBucket } from './client-bucket.ts';

/** Limits open event streams in this process, over all of its threads. */
interface StreamLimits {
  /**
   * Counts a stream until the returned function is called. Throws `http.limit_exceeded` (`streams`) if the account, or the
   * client's network with all of its accounts, has reached its limit.
   */
  open(caller: Caller | null, address: string): Promise<() => void>;
}

interface StreamLimitOptions {
  threads: Threads;
  per_user: number;
  per_network: number;
}

const RETRY_AFTER_S = '10';

export function createStreamLimits({ threads, per_user, per_network }: StreamLimitOptions): StreamLimits {
  const users = openKeyedSemaphore(threads, 'streams.users', per_user);
  const networks = openKeyedSemaphore(threads, 'streams.networks', per_network);
  return {
    async open(caller, address) {
      const network = clientBucket(address);
      if (!(await networks.take(network)))
        throw tooMany(`Event stream limit reached for your network (${per_network}).`);
      if (caller !== null && !(await users.take(caller.user_id))) {
        networks.giveBack(network);
        throw tooMany(`Event stream limit reached for your account (${per_user}).`);
      }
      return () => {
        networks.giveBack(network);
        if (caller !== null) users.giveBack(caller.user_id);
      };
    },
  };
}

const tooMany = (detail: string): Problem =>
  coreProblem('http.limit_exceeded', `${detail} Close one, then retry.`, {
    reason: 'streams',
    headers: { 'retry-after': RETRY_AFTER_S },
  });
