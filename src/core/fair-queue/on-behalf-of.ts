import { AsyncLocalStorage } from 'node:async_hooks';
import { OWN_SHARE, type Share } from './share.ts';

/**
 * Whose turn a statement of the database takes. Everything else is handed its share as an argument; a statement is run by code
 * that knows nothing of requests, so it finds the share in the context of its request.
 */

const context = new AsyncLocalStorage<() => Share>();

/** `share` is asked for with the first statement: most requests that are answered from memory have none. */
export const onBehalfOf = <T>(share: () => Share, work: () => T): T => context.run(once(share), work);

/** The service's own where no request is being answered. */
export const shareInForce = (): Share => context.getStore()?.() ?? OWN_SHARE;

function once(read: () => Share): () => Share {
  let share: Share | undefined;
  return () => {
    share ??= read();
    return share;
  };
}
