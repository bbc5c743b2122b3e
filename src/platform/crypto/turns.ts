/** A few at a time, a few in line, and the rest turned away: answers null for those. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T> | null;

export function createTurns(at_once: number, max_waiting: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(work: () => Promise<T>, ready: Promise<void> | null): Promise<T> => {
    if (ready !== null) await ready;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  return (work) => {
    if (running < at_once) {
      running++;
      return inTurn(work, null);
    }
    if (waiting.length >= max_waiting) return null;
    return inTurn(work, new Promise<void>((resolve) => waiting.push(resolve)));
  };
}
