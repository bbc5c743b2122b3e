import { type End, endOf } from '#core/end.ts';
import { createFairQueue } from '#core/fair-queue/fair-queue.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';

/**
 * Places for boxes: limits in total and for each user, and memory for all of them together. If none is free, the least
 * recently used idle box ends, one of the same user if that user has reached the limit.
 */
interface Places {
  /**
   * @throws Problem `runs.unavailable` (`boxes_busy`) if none became free in time; the signal's reason.
   */
  take(holder: Holder, signal: AbortSignal | null, onQueued: () => void): Promise<Place>;
  /** Idle boxes of any user make room for those that wait. */
  noteIdle(): void;
  counts(): { held: number; waiting: number };
}

interface Holder {
  share: Share;
}

export interface Place {
  /** Called when the program runs: its usage is counted from then on. */
  started(): void;
  giveBack(): void;
}

/** An idle box. */
export interface IdleBox {
  user: string;
  used_ms: number;
  /** Resolves when its processes are gone. */
  end(): Promise<void>;
}

interface PlacesOptions {
  places: number;
  per_user: number;
  /** Memory limit of all boxes together. */
  budget_bytes: number;
  /** Maximum memory of one box. */
  box_bytes: number;
  /** How long an order waits for a place. */
  wait_ms: number;
  /** Current memory of the boxes. */
  usedBytes(): number;
  idle(): IdleBox[];
  userOf(share: Share): string;
}

/** A box that has just started will use more than it does yet. */
const LEAST_BYTES = 64 * 1_048_576;
const LOOK_EVERY_MS = 250;

export function openPlaces(options: PlacesOptions): Places {
  const { places, per_user, wait_ms, idle, userOf } = options;
  const queue = createFairQueue({
    places,
    waiting: 4 * places,
    waiting_per_share: Math.max(4, 2 * per_user),
    held_per_share: per_user,
  });
  const held = new Map<string, number>();
  let starting = 0;
  let running = 0;

  const hold = (user: string, by: 1 | -1): void => {
    const count = (held.get(user) ?? 0) + by;
    if (count === 0) held.delete(user);
    else held.set(user, count);
  };

  /** Null if no box is idle. */
  const endOldest = (user: string | null): Promise<void> | null => {
    const [oldest] = idle()
      .filter((box) => user === null || box.user === user)
      .sort((a, b) => a.used_ms - b.used_ms);
    return oldest?.end() ?? null;
  };

  const fits = (): boolean => {
    const { budget_bytes, box_bytes, usedBytes } = options;
    if (running + starting === 0) return true;
    const used = Math.max(usedBytes(), running * LEAST_BYTES);
    return used + (starting + 1) * box_bytes <= budget_bytes;
  };

  const takePlace = async (share: Share, end: End, onQueued: () => void): Promise<void> => {
    if (queue.takeNow(share)) return;
    const user = userOf(share);
    onQueued();
    // Its place is released when its processes are gone.
    void endOldest((held.get(user) ?? 0) >= per_user ? user : null);
    const taken = await queue.take(share, end.signal);
    if (taken !== 'taken') throw busy(per_user);
  };

  const waitForMemory = async (end: End, onQueued: () => void): Promise<void> => {
    while (!fits()) {
      onQueued();
      if (end.signal.aborted) throw busy(per_user);
      await (endOldest(null) ?? pause(end.signal));
    }
  };

  return {
    take: async ({ share }, signal, onQueued) => {
      const end = endOf({ timeout_ms: wait_ms, with: [signal] });
      const user = userOf(share);
      let hasPlace = false;
      try {
        await takePlace(share, end, onQueued);
        hasPlace = true;
        await waitForMemory(end, onQueued);
        starting += 1;
        hold(user, 1);
      } catch (error) {
        if (hasPlace) queue.giveBack(share);
        signal?.throwIfAborted();
        throw error;
      } finally {
        end.release();
      }
      let state: 'starting' | 'running' | 'over' = 'starting';
      return {
        started: () => {
          if (state !== 'starting') return;
          state = 'running';
          starting -= 1;
          running += 1;
        },
        giveBack: () => {
          if (state === 'over') return;
          if (state === 'starting') starting -= 1;
          else running -= 1;
          state = 'over';
          hold(user, -1);
          queue.giveBack(share);
        },
      };
    },
    noteIdle: () => {
      if (queue.counts().waiting > 0) void endOldest(null);
    },
    counts: () => queue.counts(),
  };
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, LOOK_EVERY_MS);
    signal.addEventListener('abort', done, { once: true });
  });

const busy = (perUser: number): Problem =>
  runtimeProblem(
    'runs.unavailable',
    `No place to run the package became free. Retry soon; one user may run ${perUser} at once.`,
    { reason: 'boxes_busy', headers: { 'retry-after': '5' } },
  );
