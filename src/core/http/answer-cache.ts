import { hashOf, type TextCache, textCache } from '#core/text/text-cache.ts';
import type { Reply } from './operation.ts';

/** Finished answers by what was asked of one state; emptied when the state changes. */
export interface AnswerCache<S> {
  /** What was answered before to the same; else what `make` answers. Its body is bytes. */
  answer(state: S, key: string, make: () => Reply): Reply;
}

export interface AnswerCacheOptions<S> {
  most_bytes: number;
  /** Whether a state still stands: then its answers are sent ahead of the router too. */
  isNewest?: (state: S) => boolean;
}

/** Hashes of what was asked once are kept in so many places. */
const ASKED = 8_192;

export function answerCache<S>({ most_bytes, isNewest }: AnswerCacheOptions<S>): AnswerCache<S> {
  let newest: S | undefined;
  const asked = new Int32Array(ASKED);
  /** An answer is counted twice: its three compressed forms together are smaller than itself. */
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

/** Bytes of its own: whoever made the answer may use its memory again when it was sent. */
function kept({ release: _, ...reply }: Reply, isFresh: (() => boolean) | undefined): Reply {
  const fresh = isFresh === undefined ? {} : { isFresh };
  return { ...reply, body: Buffer.from(reply.body as Uint8Array), encoded: new Map(), ...fresh };
}

/** Only what is asked a second time is kept: queries that never come back would push the others out. */
function wasAsked(asked: Int32Array, hash: number): boolean {
  const place = hash & (asked.length - 1);
  if (asked[place] === hash) return true;
  asked[place] = hash;
  return false;
}
