/** The clock is passed as an argument, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 in UTC with milliseconds and `Z`: the only time format in the database and the API. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
