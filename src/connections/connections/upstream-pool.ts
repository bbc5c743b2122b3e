import { type HeldOptions, type HeldSession, type Opened, openHeldSession } from '#core/mcp/held-session.ts';

/** Open sessions by key, closed when unused for a while, or when there are too many. */

export interface Entry {
  connection_id: string;
  opening: Promise<Opened>;
  /** Null until it is open. */
  session: HeldSession | null;
  busy: number;
  timer: NodeJS.Timeout | undefined;
}

interface Pool {
  /** Returns the session of this key, open or being opened. Call `release` for each. */
  take(key: string, connectionId: string, options: HeldOptions): Entry;
  release(key: string, entry: Entry): void;
  /** Removes the session from the pool and closes it. */
  drop(key: string, entry: Entry): void;
  /** Closes all matching sessions. */
  closeAll(which: (entry: Entry) => boolean): Promise<void>;
  size(): number;
}

export function openPool({ idle_ms, most }: { idle_ms: number; most: number }): Pool {
  const entries = new Map<string, Entry>();

  const drop: Pool['drop'] = (key, entry) => {
    if (entries.get(key) === entry) entries.delete(key);
    clearTimeout(entry.timer);
    void closed(entry);
  };

  const open = (key: string, connection_id: string, options: HeldOptions): Entry => {
    const entry: Entry = {
      connection_id,
      opening: openHeldSession(options),
      session: null,
      busy: 0,
      timer: undefined,
    };
    void entry.opening.then((opened) => {
      if (opened.ok) entry.session = opened.session;
      else drop(key, entry);
    });
    return entry;
  };

  const makeRoom = (): void => {
    const oldest = entries.size > most ? [...entries].find(([, entry]) => entry.busy === 0) : undefined;
    if (oldest !== undefined) drop(...oldest);
  };

  return {
    drop,
    size: () => entries.size,
    take: (key, connectionId, options) => {
      const known = entries.get(key);
      const entry = known === undefined || known.session?.ended.aborted ? open(key, connectionId, options) : known;
      clearTimeout(entry.timer);
      entry.busy++;
      // Moves the entry to the end, so that it is closed last.
      entries.delete(key);
      entries.set(key, entry);
      makeRoom();
      return entry;
    },
    release: (key, entry) => {
      if (--entry.busy === 0) entry.timer = setTimeout(() => drop(key, entry), idle_ms).unref();
    },
    closeAll: async (which) => {
      const doomed = [...entries].filter(([, entry]) => which(entry));
      for (const [key, entry] of doomed) drop(key, entry);
      await Promise.all(doomed.map(([, entry]) => entry.session?.close()));
    },
  };
}

async function closed({ opening }: Entry): Promise<void> {
  const opened = await opening;
  if (opened.ok) await opened.session.close();
}
