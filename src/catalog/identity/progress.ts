import type { Clock } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';

/** How far linking lags behind the listings. Loaded at every start, so kept small. */

/** Version of traits, keys and comparison rules. Raise it with every change of them: all listings are then linked again. */
export const RULES = 3;

type Db = Pick<Connection, 'query'>;

export type OwnCounter = 'capabilities_listings' | 'capabilities_published' | 'capabilities_rules';
const NAMES = ['listings', 'published', 'capabilities_listings', 'capabilities_published', 'capabilities_rules'];

export async function readCounters(db: Db): Promise<(name: string) => number> {
  const rows = await db.query<{ name: string; value: number }>(
    `SELECT name, value FROM change_counters WHERE name IN (${NAMES.map((name) => `'${name}'`).join(', ')})`,
  );
  return (name) => rows.find((row) => row.name === name)?.value ?? 0;
}

/** How many change numbers are not linked yet; 0 if linking is up to date. `at` gives the value of a counter. */
export function linkingLag(at: (name: string) => number): number {
  if (at('capabilities_rules') !== RULES) return at('listings') + at('published');
  const listings = at('listings') - at('capabilities_listings');
  return Math.max(0, listings) + Math.max(0, at('published') - at('capabilities_published'));
}

/** How many live listings have no capability yet. Most, after an import or a first sync. */
export type CountUnlinked = () => number | Promise<number>;

const FRESH_MS = 1_000;

/** Counts at most once a second. Only the first call waits; later calls get the latest count while a new one is made. */
export function unlinkedCounter({ connection, clock }: { connection: Db; clock: Clock }): CountUnlinked {
  let latest: number | null = null;
  let countedMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<number> | null = null;
  const count = (): Promise<number> => {
    counting ??= countUnlinked(connection)
      .then((unlinked) => {
        countedMs = clock.now();
        latest = unlinked;
        return unlinked;
      })
      .finally(() => {
        counting = null;
      });
    return counting;
  };
  return () => {
    if (latest === null) return count();
    // If this count fails, the next call tries again.
    if (Math.abs(clock.now() - countedMs) >= FRESH_MS) count().catch(() => {});
    return latest;
  };
}

async function countUnlinked(db: Db): Promise<number> {
  const at = await readCounters(db);
  const linked = at('capabilities_listings');
  if (at('listings') <= linked) return 0;
  const [row] = await db.query<{ count: number }>(
    `SELECT COUNT(*) AS count FROM listings l WHERE l.seq > ? AND l.removed_at IS NULL AND NOT EXISTS (
       SELECT 1 FROM capabilities c
       WHERE c.provider_id = l.provider_id AND c.external_id = l.external_id AND c.is_live = 1)`,
    [linked],
  );
  return Number(row?.count ?? 0);
}
