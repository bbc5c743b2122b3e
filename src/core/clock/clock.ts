/** Time is an argument, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds and `Z`, the one form of time in the database and on the wire. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
