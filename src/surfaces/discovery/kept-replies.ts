import type { Clock } from '#core/clock/clock.ts';
import type { Reply } from '#core/http/operation.ts';
import { textCache } from '#core/text/text-cache.ts';

/** Reuses responses for a few seconds, by request. Concurrent requests share one response. */
export type KeptReplies = (key: string, make: () => Promise<Reply>) => Promise<Reply>;

const MOST_BYTES = 8 * 2 ** 20;

export function keptReplies(clock: Clock, kept_ms: number): KeptReplies {
  const kept = textCache<{ reply: Reply; until_ms: number }>({
    most_bytes: MOST_BYTES,
    // Including its compressed forms.
    bytesOf: ({ reply }) => Buffer.byteLength(reply.body as string) * 2 + 1_024,
  });
  const making = new Map<string, Promise<Reply>>();
  const fresh = async (key: string, make: () => Promise<Reply>): Promise<Reply> => {
    const made = await make();
    const until_ms = clock.now() + kept_ms;
    const reply = { ...made, encoded: new Map(), isFresh: () => clock.now() < until_ms };
    kept.set(key, { reply, until_ms });
    return reply;
  };
  return async (key, make) => {
    const known = kept.get(key);
    if (known !== undefined && clock.now() < known.until_ms) return known.reply;
    const underWay = making.get(key) ?? fresh(key, make).finally(() => making.delete(key));
    making.set(key, underWay);
    return underWay;
  };
}
