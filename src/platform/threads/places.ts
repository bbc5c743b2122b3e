import type { Threads } from './threads.ts';

/** So many pieces of work at once in a whole process, whichever threads they are in; some more wait, first come, first served. */
export interface Places {
  /** `taken` until it is given back; `full` where no more may wait; `left` where `signal` was aborted before. */
  take(signal?: AbortSignal): Promise<Taken>;
  giveBack(): void;
  /** How many wait, of all threads; asked in the first one. */
  waiting(): number;
}

export type Taken = 'taken' | 'full' | 'left';

export interface PlacesOptions {
  at_once: number;
  waiting: number;
}

export function openPlaces(threads: Threads, name: string, options: PlacesOptions): Places {
  const line = waitingLine(options);
  const giveBack = threads.inFirst(`${name}.giveBack`, line.giveBack);
  return {
    take: threads.inFirst(`${name}.take`, line.take),
    // What ends with its process needs no word of it.
    giveBack: () => void giveBack().catch(() => {}),
    waiting: line.waiting,
  };
}

function waitingLine({ at_once, waiting }: PlacesOptions) {
  let taken = 0;
  const line = new Set<(how: Taken) => void>();
  return {
    async take(signal?: AbortSignal): Promise<Taken> {
      if (signal?.aborted) return 'left';
      if (taken < at_once) {
        taken++;
        return 'taken';
      }
      if (line.size >= waiting) return 'full';
      return new Promise((resolve) => {
        const leave = () => settle('left');
        const settle = (how: Taken): void => {
          line.delete(settle);
          signal?.removeEventListener('abort', leave);
          resolve(how);
        };
        signal?.addEventListener('abort', leave);
        line.add(settle);
      });
    },
    async giveBack(): Promise<void> {
      const [next] = line;
      if (next === undefined) taken--;
      else next('taken');
    },
    waiting: () => line.size,
  };
}
