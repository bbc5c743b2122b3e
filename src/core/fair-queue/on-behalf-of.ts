import { AsyncLocalStorage } from 'node:async_hooks';
import { OWN_SHARE, type Share } from './share.ts';

/**
 * The share that a database statement counts against. Other code receives its share as an argument, but statements run
 * in code that knows nothing about requests, so they find it in the async context.
 */

const context = new AsyncLocalStorage<() => Share>();

/** `share` is called with the first statement: most requests answered from memory have none. */
export const onBehalfOf = <T>(share: () => Share, work: () => T): T => context.run(once(share), work);

/** The service's own share outside of requests. */
export const shareInForce = (): Share => context.getStore()?.() ?? OWN_SHARE;

function once(read: () => Share): () => Share {
  let share: Share | undefined;
  return () => {
    share ??= read();
    return share;
  };
}
