import { LRUCache } from 'lru-cache';
import { breaker } from '#core/llm/breaker.ts';
import { retryAfterMs } from './ask-in-time.ts';
import { batchOf, embedTexts, type TextSender } from './embed-texts.ts';

/**
 * Vectors of texts that are in no index, such as tools of a user's connections: in the memory of this process alone, and asked for
 * while searches go without them.
 */
export interface TextVectors {
  /** By the digest of a text. Undefined for one that has none yet, null for one that the model refused. */
  get(digest: string): Int8Array | null | undefined;
  /** Asks for those that are missing, by their digests, a batch at a time. Resolves when nothing waits any more; never rejects. */
  fill(texts: ReadonlyMap<string, string>): Promise<void>;
}

/** All vectors together. */
const MOST_BYTES = 64 * 2 ** 20;
const ENTRY_BYTES = 256;
/** Texts that wait to be sent. A later search asks for more. */
const MOST_WAITING = 5_000;

export function openTextVectors(sender: TextSender): TextVectors {
  const known = new LRUCache<string, { vector: Int8Array | null }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ vector }) => ENTRY_BYTES + (vector?.length ?? 0),
  });
  const waiting = new Map<string, string>();
  const rests = breaker({ failures: 1 });
  const atOnce = batchOf(sender.config);
  let working: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (waiting.size > 0) {
      if (!rests.mayAsk()) return waiting.clear();
      const some = [...waiting.entries()].slice(0, atOnce);
      try {
        const vectors = await embedTexts(
          sender,
          some.map(([, text]) => text),
        );
        for (const [at, [digest]] of some.entries()) {
          known.set(digest, { vector: vectors[at] ?? null });
          waiting.delete(digest);
        }
        rests.ended({ ok: true });
      } catch (error) {
        rests.ended({ ok: false, wait_ms: retryAfterMs(error) });
      }
    }
  };
  return {
    get: (digest) => known.get(digest)?.vector,
    async fill(texts) {
      for (const [digest, text] of texts) {
        if (waiting.size >= MOST_WAITING) break;
        if (!known.has(digest)) waiting.set(digest, text);
      }
      working ??= work().finally(() => {
        working = null;
      });
      await working;
    },
  };
}
