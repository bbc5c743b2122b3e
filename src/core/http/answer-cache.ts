import { hashOf, type TextCache, textCache } from '#core/text/text-cache.ts';
import type { Reply } from './operation.ts';

/** A cache of complete responses by request for one state. It is emptied when the state changes. */
interface AnswerCache<S> {
  /** Returns the cached response to `key`, or calls `make`. The body must be bytes. */
  answer(state: S, key: string, make: () => Reply): Reply;
}

interface AnswerCacheOptions<S> {
  most_bytes: number;
  /** Returns whether a state is current. If so, its responses can also be sent before the router runs. */
  isNewest?: (state: S) => boolean;
}

/** Number of slots for hashes of keys that were requested once. */
const ASKED = 8_192;

export function answerCache<S>({ most_bytes, isNewest }: AnswerCacheOptions<S>): AnswerCache<S> {
  let newest: S | undefined;
  const asked = new Int32Array(ASKED);
  /** Counts each response twice, because its three compressed forms together are smaller than the response. */
  const bytesOf = ({ body }: Reply): number => (body as Uint8Array).byteLength * 2 + 1_024;
  const replies: TextCache<Reply> = textCache({ most_bytes, bytesOf });
  return {
    answer(state, key, make) {
      if (state !== newest) {
        replies.clear();
        newest = state;
      }
      const hash = hashOf(key);
      const known = replies.get(key, hash);
      if (known !== undefined) return known;
      const reply = make();
      if (wasAsked(asked, hash)) replies.set(key, kept(reply, isNewest && (() => isNewest(state))), hash);
      return reply;
    },
  };
}

/** Copies the body, because its owner may reuse the memory after sending. */
function kept({ release: _, ...reply }: Reply, isFresh: (() => boolean) | undefined): Reply {
  const fresh = isFresh === undefined ? {} : { isFresh };
  return { ...reply, body: Buffer.from(reply.body as Uint8Array), encoded: new Map(), ...fresh };
}

/** Returns true from the second request on. Caching responses to one-time queries would evict the others. */
function wasAsked(asked: Int32Array, hash: number): boolean {
  const place = hash & (asked.length - 1);
  if (asked[place] === hash) return true;
  asked[place] = hash;
  return false;
}
