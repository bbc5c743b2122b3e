import type { Limit } from '#core/limits/rate-windows.ts';

/** Counts the requests of this process: false if another one would exceed the limit. */
export function pacer({ count, window_ms }: Limit, now: () => number = () => performance.now()): () => boolean {
  const sent: number[] = [];
  return () => {
    const at = now();
    while (sent.length > 0 && (sent[0] as number) <= at - window_ms) sent.shift();
    if (sent.length >= count) return false;
    sent.push(at);
    return true;
  };
}
