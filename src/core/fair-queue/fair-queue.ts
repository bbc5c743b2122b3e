import { type Identity, identityOf, RANKS, type Rank, type Share } from './share.ts';

/**
 * Distributes a limited number of slots fairly: users before new accounts before anonymous clients, the share with the
 * fewest slots first, and round robin among equals. All operations are O(slots + waiters of one share), however many
 * wait.
 *
 * A share that has just arrived goes ahead of shares with a backlog, so that a single request does not wait for one
 * turn of each of them. However many arrive, shares with an overdue turn get every second start.
 */
export interface FairQueue {
  /**
   * Runs `work` in a slot. Throws `QueueBusy` if the queue refuses the request, or the signal's reason if it aborted
   * while waiting.
   */
  run<T>(share: Share, work: (signal?: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves to `taken` until `giveBack` is called with the same share, or to `left` if `signal` aborted first. */
  take(share: Share, signal?: AbortSignal): Promise<Taken>;
  /** Takes a slot only if one is free for this share right now. */
  takeNow(share: Share): boolean;
  giveBack(share: Share): void;
  counts(): { held: number; waiting: number };
}

export type Taken = 'taken' | 'busy' | 'left';

export interface FairQueueOptions {
  /** Number of concurrent slots. */
  places: number;
  /**
   * Maximum number of waiters in total. When it is reached, the longest line of the lowest rank loses its newest waiter
   * to a shorter one.
   */
  waiting: number;
  waiting_per_share: number;
  /**
   * Maximum number of slots of one share. Set it below `places` if work is long, so that the next share finds a slot.
   */
  held_per_share?: number;
  /** Maximum number of slots of new accounts and anonymous clients together. Default: all but one. */
  held_by_guests?: number;
}

export class QueueBusy extends Error {
  constructor() {
    super('The queue is full.');
  }
}

/** A waiting lower rank gets one start after this many starts of higher ranks. */
const STARTS_BEFORE_LOWER = 8;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { places, waiting, waiting_per_share } = options;
  const { held_per_share = places, held_by_guests = Math.max(1, places - 1) } = options;
  const shares = new Map<string, Line>();
  const ranks = Object.fromEntries(RANKS.map((rank) => [rank, openRank()])) as Record<Rank, RankLines>;
  let held = 0;
  let heldGuests = 0;
  let queued = 0;
  let starts = 0;

  const lineOf = ({ key, rank }: Identity): Line => {
    const known = shares.get(key);
    if (known !== undefined) return known;
    const line: Line = { key, rank, held: 0, last_start: null, waiters: new Set() };
    shares.set(key, line);
    return line;
  };
  /** Every change of a line goes through here, so that the indexes of its rank stay correct. */
  const change = (line: Line, act: () => void): void => {
    const lines = ranks[line.rank];
    const before = lines.placed(line);
    act();
    lines.move(line, before);
    if (line.waiters.size === 0 && line.held === 0) shares.delete(line.key);
  };
  const mayHold = (rank: Rank): boolean => held < places && (rank === 'user' || heldGuests < held_by_guests);
  const hold = (line: Line): void => {
    line.held++;
    line.last_start = ++starts;
    held++;
    if (line.rank !== 'user') heldGuests++;
  };
  const settle = (line: Line, waiter: Waiter, how: Taken): void => {
    queued--;
    change(line, () => {
      line.waiters.delete(waiter);
      if (how === 'taken') hold(line);
    });
    waiter(how);
  };

  const next = (): Line | null => {
    const found = RANKS.flatMap((rank) => {
      const line = mayHold(rank) ? ranks[rank].first(held_per_share, starts) : null;
      return line === null ? [] : [line];
    });
    const overdue = found.find(({ rank }) => ranks[rank].passed_over >= STARTS_BEFORE_LOWER);
    const line = overdue ?? found[0] ?? null;
    for (const { rank } of found) ranks[rank].passed_over = rank === line?.rank ? 0 : ranks[rank].passed_over + 1;
    if (line !== null) ranks[line.rank].started(line);
    return line;
  };
  const startNext = (): void => {
    for (let line = next(); line !== null; line = next()) {
      const [waiter] = line.waiters as Set<Waiter>;
      settle(line, waiter as Waiter, 'taken');
    }
  };
  /** Returns whether a new waiter fits into this line, after dropping another waiter if necessary. */
  const makeRoom = (line: Line): boolean => {
    if (line.waiters.size >= waiting_per_share) return false;
    if (queued < waiting) return true;
    for (const rank of RANKS.toReversed()) {
      const longest = ranks[rank].longest();
      if (longest === null) continue;
      const isLower = RANKS.indexOf(rank) > RANKS.indexOf(line.rank);
      if (!isLower && (rank !== line.rank || longest.waiters.size <= line.waiters.size + 1)) return false;
      settle(longest, [...longest.waiters].at(-1) as Waiter, 'busy');
      return true;
    }
    return false;
  };

  const takeNow: FairQueue['takeNow'] = (share) => {
    const line = lineOf(identityOf(share));
    // Every waiter that could start has already started, so nobody is overtaken.
    const isFree = line.waiters.size === 0 && mayHold(line.rank) && line.held < held_per_share;
    change(line, () => {
      if (isFree) hold(line);
    });
    return isFree;
  };
  const take: FairQueue['take'] = async (share, signal) => {
    if (signal?.aborted) return 'left';
    if (takeNow(share)) return 'taken';
    const line = lineOf(identityOf(share));
    if (!makeRoom(line)) {
      change(line, () => {});
      return 'busy';
    }
    return new Promise((resolve) => {
      const leave = (): void => settle(line, waiter, 'left');
      const waiter: Waiter = (how) => {
        signal?.removeEventListener('abort', leave);
        resolve(how);
      };
      signal?.addEventListener('abort', leave, { once: true });
      queued++;
      change(line, () => line.waiters.add(waiter));
    });
  };
  const giveBack: FairQueue['giveBack'] = (share) => {
    const line = shares.get(identityOf(share).key);
    if (line === undefined || line.held === 0) throw new Error('This share has no slot.');
    held--;
    if (line.rank !== 'user') heldGuests--;
    change(line, () => line.held--);
    startNext();
  };
  return {
    take,
    takeNow,
    giveBack,
    run: async (share, work, signal) => {
      const how = await take(share, signal);
      if (how === 'busy') throw new QueueBusy();
      if (how === 'left') throw signal?.reason;
      try {
        return await work(signal);
      } finally {
        giveBack(share);
      }
    },
    counts: () => ({ held, waiting: queued }),
  };
}

type Waiter = (how: Taken) => void;

/** The slots and waiters of one share. It exists only while it has either. */
interface Line extends Identity {
  held: number;
  /** The number of its last start among all starts; null if it has had no slot since it arrived. */
  last_start: number | null;
  waiters: Set<Waiter>;
}

/** The lines of one rank that have waiters, ordered by service and by length. */
interface RankLines {
  /** Starts of higher ranks since the last one of this rank, while a line of this rank could have started. */
  passed_over: number;
  /** The current position of the line; pass it to `move` after changing the line. */
  placed(line: Line): Placed;
  move(line: Line, from: Placed): void;
  /** The next line to serve among those with fewer than `most` slots, after this many starts. */
  first(most: number, starts: number): Line | null;
  /** Call it before the line starts: new lines and lines that were served before take turns. */
  started(line: Line): void;
  longest(): Line | null;
}

/** Null for a line without waiters, which is in no index. */
interface Placed {
  turn: Set<Line> | null;
  length: Set<Line> | null;
}

function openRank(): RankLines {
  /** Indexed by slots held. A set keeps insertion order, which implements round robin. */
  const fresh: Set<Line>[] = [];
  const served: Set<Line>[] = [];
  /** Indexed by number of waiters. */
  const byLength: Set<Line>[] = [];
  let wasFresh = false;
  let count = 0;
  const at = (lists: Set<Line>[], index: number): Set<Line> => {
    lists[index] ??= new Set();
    return lists[index];
  };
  const placed = (line: Line): Placed => {
    if (line.waiters.size === 0) return { turn: null, length: null };
    return { turn: at(line.last_start === null ? fresh : served, line.held), length: at(byLength, line.waiters.size) };
  };
  const moveOne = (line: Line, from: Set<Line> | null, to: Set<Line> | null): void => {
    // A line that stays in its set keeps its turn.
    if (from === to) return;
    from?.delete(line);
    to?.add(line);
  };
  return {
    passed_over: 0,
    placed,
    move: (line, from) => {
      const to = placed(line);
      count += Number(to.turn !== null) - Number(from.turn !== null);
      moveOne(line, from.turn, to.turn);
      moveOne(line, from.length, to.length);
    },
    started: (line) => {
      wasFresh = line.last_start === null;
    },
    first: (most, starts) => {
      for (let held = 0; held < Math.min(most, Math.max(fresh.length, served.length)); held++) {
        const [newOne] = fresh[held] ?? [];
        const [oldOne] = served[held] ?? [];
        const isOverdue = starts - (oldOne?.last_start ?? starts) >= count;
        const line = wasFresh && isOverdue ? (oldOne ?? newOne) : (newOne ?? oldOne);
        if (line !== undefined) return line;
      }
      return null;
    },
    longest: () => {
      for (let length = byLength.length - 1; length > 0; length--) {
        const [line] = byLength[length] ?? [];
        if (line !== undefined) return line;
      }
      return null;
    },
  };
}
