/** A server that takes longer does not hold up the others; the request to it continues. */
export const LONGEST_WAIT_MS = 3_000;

/** Null if the work takes longer. */
export async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), LONGEST_WAIT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
