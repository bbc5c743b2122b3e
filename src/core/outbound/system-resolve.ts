import { lookup } from 'node:dns/promises';
import { createFairQueue, QueueBusy } from '#core/fair-queue/fair-queue.ts';
import { shareInForce } from '#core/fair-queue/on-behalf-of.ts';
import type { Resolve } from './connect.ts';

/**
 * Names are looked up in half of libuv's threads, and a name that no server answers holds one for ten seconds or more. The name of the
 * database is looked up there too, so the service would lose its database with its internet access. Lookups for requests to others
 * therefore have fewer places than the 8 threads that `app/compile-cache.mjs` leaves for names, and those on behalf of one user have half of them.
 */
const PLACES = 6;
const PLACES_OF_ONE = 3;
const WAITING = 1_000;
const WAITING_OF_ONE = 200;

/** As `getaddrinfo` reports that a name could not be looked up now. */
const TRY_AGAIN = 'EAI_AGAIN';

export function limitedResolve(resolve: Resolve): Resolve {
  const places = createFairQueue({
    places: PLACES,
    held_per_share: PLACES_OF_ONE,
    waiting: WAITING,
    waiting_per_share: WAITING_OF_ONE,
  });
  return async (hostname) => {
    try {
      return await places.run(shareInForce(), () => resolve(hostname));
    } catch (error) {
      if (!(error instanceof QueueBusy)) throw error;
      throw Object.assign(new Error(`too many names are being looked up, ${hostname} was not`), { code: TRY_AGAIN });
    }
  };
}

export const systemResolve: Resolve = limitedResolve((hostname) => lookup(hostname, { all: true }));
