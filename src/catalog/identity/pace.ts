/** How much is saved at once, so that a transaction holds the writer for a moment only, on any machine. */

export interface Pace {
  size(): number;
  /** Told how long the last one held it. */
  held(ms: number): void;
}

const LONG_MS = 40;
const LEAST = 10;
const FIRST = 100;

/** Never more than this; half of it after a long one, and a quarter more after a short one. */
export function paceOf(most: number): Pace {
  let size = Math.min(FIRST, most);
  return {
    size: () => size,
    held: (ms) => {
      if (ms > LONG_MS) size = Math.max(Math.min(LEAST, most), Math.floor(size / 2));
      else if (ms < LONG_MS / 2) size = Math.min(most, Math.ceil(size * 1.25));
    },
  };
}
