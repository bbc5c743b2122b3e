/** What pages need again soon and what is dear to make, for a limited time. It must not depend on the reader. */
export type Remember = <T>(key: string, make: () => Promise<T>) => Promise<T>;

const MOST = 2_000;
const KEPT_MS = 120_000;

/** Readers that ask at the same time share one result. A failure is not kept. */
export function createRemember(now: () => number): Remember {
  const known = new Map<string, { value: Promise<unknown>; until_ms: number }>();
  return <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const found = known.get(key);
    if (found !== undefined && found.until_ms > now()) return found.value as Promise<T>;
    const value = make();
    const entry = { value, until_ms: now() + KEPT_MS };
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    value.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return value;
  };
}
