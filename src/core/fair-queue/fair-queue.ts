import { type Identity, identityOf, RANKS, type Rank, type Share } from './share.ts';

/**
 * A bounded number of places, handed out fairly: users before new accounts before anonymous clients, the share that holds
 * the fewest places first, round robin among equals. All operations are O(places + waiters of one share), however many wait.
 *
 * A share that has just arrived goes ahead of those that keep a backlog, so that a single request does not wait for one
 * turn of everybody else's. However many arrive, those with a backlog get every second start once their turn is overdue.
 */
export interface FairQueue {
  /**
   * Runs `work` in a place. Throws `QueueBusy` where the request was refused, the signal's reason where it was aborted
   * while it waited.
   */
  run<T>(share: Share, work: (signal?: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** `taken` until `giveBack` is called with the same share; `left` where `signal` was aborted first. */
  take(share: Share, signal?: AbortSignal): Promise<Taken>;
  /** Takes a place only where one is free for this share at once. */
  takeNow(share: Share): boolean;
  giveBack(share: Share): void;
  counts(): { held: number; waiting: number };
}

export type Taken = 'taken' | 'busy' | 'left';

export interface FairQueueOptions {
  /** Pieces of work at once. */
  places: number;
  /** Waiters in all. Where it is full, the longest line of the lowest rank loses its newest waiter to a shorter one. */
  waiting: number;
  waiting_per_share: number;
  /** What one share may hold. Lower it below `places` where work is long, so that the next share finds a place. */
  held_per_share?: number;
  /** What new accounts and anonymous clients may hold together. All but one place unless given. */
  held_by_guests?: number;
}

export class QueueBusy extends Error {
  constructor() {
    super('The queue is full.');
  }
}

/** A lower rank that waits gets one start after so many of higher ones. */
const STARTS_BEFORE_LOWER = 8;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { places, waiting, waiting_per_share } = options;
  const { held_per_share = places, held_by_guests = Math.max(1, places - 1) } = options;
  const shares = new Map<string, Line>();
  const ranks = Object.fromEntries(RANKS.map((rank) => [rank, openRank()])) as Record<Rank, RankLines>;
  let held = 0;
  let held_guests = 0;
  let queued = 0;
  let starts = 0;

  const lineOf = ({ key, rank }: Identity): Line => {
    const known = shares.get(key);
    if (known !== undefined) return known;
    const line: Line = { key, rank, held: 0, last_start: null, waiters: new Set() };
    shares.set(key, line);
    return line;
  };
  /** Every change of a line goes through here, so that the indexes of its rank follow it. */
  const change = (line: Line, act: () => void): void => {
    const lines = ranks[line.rank];
    const before = lines.placed(line);
    act();
    lines.move(line, before);
    if (line.waiters.size === 0 && line.held === 0) shares.delete(line.key);
  };
  const mayHold = (rank: Rank): boolean => held < places && (rank === 'user' || held_guests < held_by_guests);
  const hold = (line: Line): void => {
    line.held++;
    line.last_start = ++starts;
    held++;
    if (line.rank !== 'user') held_guests++;
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
  /** Whether a new waiter of this line fits in, after another was turned away where need be. */
  const makeRoom = (line: Line): boolean => {
    if (line.waiters.size >= waiting_per_share) return false;
    if (queued < waiting) return true;
    for (const rank of RANKS.toReversed()) {
      const longest = ranks[rank].longest();
      if (longest === null) continue;
      const is_lower = RANKS.indexOf(rank) > RANKS.indexOf(line.rank);
      if (!is_lower && (rank !== line.rank || longest.waiters.size <= line.waiters.size + 1)) return false;
      settle(longest, [...longest.waiters].at(-1) as Waiter, 'busy');
      return true;
    }
    return false;
  };

  const takeNow: FairQueue['takeNow'] = (share) => {
    const line = lineOf(identityOf(share));
    // Whoever waits and could start has started already, so nobody is overtaken who could have had this place.
    const is_free = line.waiters.size === 0 && mayHold(line.rank) && line.held < held_per_share;
    change(line, () => {
      if (is_free) hold(line);
    });
    return is_free;
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
    if (line.rank !== 'user') held_guests--;
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

/** What one share holds and waits for. It exists only as long as it does either. */
interface Line extends Identity {
  held: number;
  /** The number of its last start among all starts; null where it has had no place since it came. */
  last_start: number | null;
  waiters: Set<Waiter>;
}

/** The lines of one rank that have waiters: in order of service, and by length. */
interface RankLines {
  /** Starts of higher ranks since the last one here, while one here could have started. */
  passed_over: number;
  /** Where the line is now; to be handed to `move` once it has changed. */
  placed(line: Line): Placed;
  move(line: Line, from: Placed): void;
  /** The line to serve next among those that hold fewer than `most` places, after so many starts. */
  first(most: number, starts: number): Line | null;
  /** To be called before that line starts: lines that have just come and those that were served take turns. */
  started(line: Line): void;
  longest(): Line | null;
}

/** Null for a line without waiters, which is in no index. */
interface Placed {
  turn: Set<Line> | null;
  length: Set<Line> | null;
}

function openRank(): RankLines {
  /** Index: places held. A set keeps the order in which lines came to it, which is what makes the turns go round. */
  const fresh: Set<Line>[] = [];
  const served: Set<Line>[] = [];
  /** Index: waiters. */
  const by_length: Set<Line>[] = [];
  let was_fresh = false;
  let count = 0;
  const at = (lists: Set<Line>[], index: number): Set<Line> => {
    lists[index] ??= new Set();
    return lists[index];
  };
  const placed = (line: Line): Placed => {
    if (line.waiters.size === 0) return { turn: null, length: null };
    return { turn: at(line.last_start === null ? fresh : served, line.held), length: at(by_length, line.waiters.size) };
  };
  const moveOne = (line: Line, from: Set<Line> | null, to: Set<Line> | null): void => {
    // A line that stays where it is keeps its turn.
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
      was_fresh = line.last_start === null;
    },
    first: (most, starts) => {
      for (let held = 0; held < Math.min(most, Math.max(fresh.length, served.length)); held++) {
        const [new_one] = fresh[held] ?? [];
        const [old_one] = served[held] ?? [];
        const is_overdue = starts - (old_one?.last_start ?? starts) >= count;
        const line = was_fresh && is_overdue ? (old_one ?? new_one) : (new_one ?? old_one);
        if (line !== undefined) return line;
      }
      return null;
    },
    longest: () => {
      for (let length = by_length.length - 1; length > 0; length--) {
        const [line] = by_length[length] ?? [];
        if (line !== undefined) return line;
      }
      return null;
    },
  };
}
