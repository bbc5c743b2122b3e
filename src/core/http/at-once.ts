import type { ServerResponse } from 'node:http';
import { coreProblem } from '#core/errors.ts';
import { clientBucket } from '#core/limits/client-bucket.ts';

/**
 * Limits concurrent responses of one operation in this process. For long responses that use memory while they are sent.
 */
export interface AtOnce {
  per_network: number;
  in_all: number;
}

const RETRY_AFTER_S = '10';

/**
 * Counts a response from its start until it closes. Throws `http.limit_exceeded` (`concurrency`) if the client's network has reached
 * its limit, and `http.unavailable` (`responses`) if the operation has.
 */
export function atOnceCounter({ per_network, in_all }: AtOnce): (address: string, response: ServerResponse) => void {
  const byNetwork = new Map<string, number>();
  let all = 0;
  return (address, response) => {
    const network = clientBucket(address);
    const count = byNetwork.get(network) ?? 0;
    const headers = { 'retry-after': RETRY_AFTER_S };
    if (count >= per_network) {
      const detail = `Too many open responses from your network (${per_network}). Finish reading or close one, then retry.`;
      throw coreProblem('http.limit_exceeded', detail, { reason: 'concurrency', headers });
    }
    if (all >= in_all) {
      const detail = `Too many open responses (${in_all}). Retry in ${RETRY_AFTER_S} s.`;
      throw coreProblem('http.unavailable', detail, { reason: 'responses', headers });
    }
    byNetwork.set(network, count + 1);
    all += 1;
    response.once('close', () => {
      all -= 1;
      const left = (byNetwork.get(network) ?? 1) - 1;
      if (left === 0) byNetwork.delete(network);
      else byNetwork.set(network, left);
    });
  };
}
