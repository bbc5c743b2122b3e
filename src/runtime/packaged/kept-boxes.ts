import type { Clock } from '#core/clock/clock.ts';
import type { KeptBox } from '#core/mcp/packaged-servers.ts';
import type { PackagedBox } from './packaged-box.ts';
import type { IdleBox } from './places.ts';

/** Boxes that are kept open for connections: one for each id and version, ended after some time without use. */
interface KeptBoxes {
  /** The running box of this id and version, or null. Older versions of the id are ended. */
  take(of: KeptBox): Lease | null;
  keep(of: KeptBox, user: string, box: PackagedBox): void;
  idle(): IdleBox[];
  /** Ends those of an id, each when its work is done. */
  forget(id: string): void;
  close(): Promise<void>;
}

interface Lease {
  box: PackagedBox;
  giveBack(): void;
}

interface Entry {
  id: string;
  version: string;
  user: string;
  box: PackagedBox;
  busy: number;
  used_ms: number;
  timer: NodeJS.Timeout | undefined;
  /** Whether the box is no longer handed out. */
  is_over: boolean;
  ended: Promise<void> | null;
}

interface KeptOptions {
  idle_ms: number;
  clock: Clock;
  onIdle(): void;
}

export function openKeptBoxes({ idle_ms, clock, onIdle }: KeptOptions): KeptBoxes {
  const entries = new Map<string, Entry>();
  /** Boxes that are no longer handed out, until they have ended. */
  const ending = new Set<Entry>();

  const end = (entry: Entry): Promise<void> => {
    entry.ended ??= entry.box.session
      .close()
      .then(() => entry.box.gone)
      .then(() => void ending.delete(entry));
    return entry.ended;
  };

  /** A busy one ends when its work is done. */
  const retire = (entry: Entry): Promise<void> => {
    const key = keyOf(entry);
    if (entries.get(key) === entry) entries.delete(key);
    clearTimeout(entry.timer);
    entry.is_over = true;
    ending.add(entry);
    return entry.busy === 0 ? end(entry) : Promise.resolve();
  };

  const rest = (entry: Entry): void => {
    entry.timer = setTimeout(() => void retire(entry), idle_ms).unref();
    onIdle();
  };

  const lend = (entry: Entry): Lease => {
    clearTimeout(entry.timer);
    entry.busy += 1;
    let isLent = true;
    return {
      box: entry.box,
      giveBack: () => {
        if (!isLent) return;
        isLent = false;
        entry.busy -= 1;
        entry.used_ms = clock.now();
        if (entry.busy > 0) return;
        if (entry.is_over || entry.box.session.ended.aborted) void retire(entry);
        else rest(entry);
      },
    };
  };

  const retireAll = (which: (entry: Entry) => boolean): Promise<void>[] =>
    [...entries.values()].filter(which).map(retire);

  return {
    take: (of) => {
      void retireAll(({ id, version }) => id === of.id && version !== of.version);
      const entry = entries.get(keyOf(of));
      if (entry === undefined) return null;
      if (!entry.box.session.ended.aborted) return lend(entry);
      void retire(entry);
      return null;
    },
    keep: (of, user, box) => {
      const known = entries.get(keyOf(of));
      if (known !== undefined) void retire(known);
      const entry: Entry = {
        id: of.id,
        version: of.version,
        user,
        box,
        busy: 0,
        used_ms: clock.now(),
        timer: undefined,
        is_over: false,
        ended: null,
      };
      entries.set(keyOf(of), entry);
      box.session.ended.addEventListener('abort', () => void retire(entry), { once: true });
      rest(entry);
    },
    idle: () =>
      [...entries.values()]
        .filter(({ busy }) => busy === 0)
        .map((entry) => ({ user: entry.user, used_ms: entry.used_ms, end: () => retire(entry) })),
    forget: (id) => void retireAll((entry) => entry.id === id),
    close: async () => {
      await Promise.all(retireAll(() => true));
      // Calls that are still running are cut off.
      await Promise.all([...ending].map(end));
    },
  };
}

const keyOf = ({ id, version }: { id: string; version: string }): string => `${id} ${version}`;
