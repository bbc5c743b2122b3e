const DAY_MS = 86_400_000;

/** Whole days since 1970, of milliseconds. */
export const daysIn = (ms: number): number => Math.floor(ms / DAY_MS);
