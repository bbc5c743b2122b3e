import type { Clock } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';

/** How far capabilities are behind listings. Asked every second, so light. */

export type OwnCounter = 'capabilities_listings' | 'capabilities_published' | 'capabilities_rules';
const NAMES = ['listings', 'published', 'capabilities_listings', 'capabilities_published', 'capabilities_rules'];

export async function readCounters(db: Pick<Connection, 'query'>): Promise<(name: string) => number> {
  const rows = await db.query<{ name: string; value: number }>(
    `SELECT name, value FROM change_counters WHERE name IN (${NAMES.map((it) => `'${it}'`).join(', ')})`,
  );
  return (name) => rows.find((it) => it.name === name)?.value ?? 0;
}

/** How many numbers of change are still to be looked at; 0 where all is done. */
export async function behind(db: Pick<Connection, 'query'>): Promise<number> {
  const at = await readCounters(db);
  if (at('capabilities_rules') !== RULES) return at('listings') + at('published');
  const listings = at('listings') - at('capabilities_listings');
  return Math.max(0, listings) + Math.max(0, at('published') - at('capabilities_published'));
}

/** Of what identity is judged by. Another number: everything is judged anew. To be raised with every change of traits, keys or evidence. */
export const RULES = 3;

/** How many listings stand in the registry and belong to no capability yet: after an import or a first sync, most. */
export type LeftToLink = () => number | Promise<number>;

type Db = Pick<Connection, 'query'>;

/** Counted at most once a second; whoever asks meanwhile is told the last number, and nobody but the first waits for it. */
export function leftToLink({ connection, clock }: { connection: Db; clock: Clock }): LeftToLink {
  let left: number | null = null;
  let counted_ms = Number.NEGATIVE_INFINITY;
  let counting: Promise<number> | null = null;
  const count = (): Promise<number> => {
    counting ??= countLeft(connection)
      .then((it) => {
        counted_ms = clock.now();
        left = it;
        return it;
      })
      .finally(() => {
        counting = null;
      });
    return counting;
  };
  return () => {
    if (left === null) return count();
    // What cannot be counted now is counted when somebody asks again.
    if (Math.abs(clock.now() - counted_ms) >= FRESH_MS) count().catch(() => {});
    return left;
  };
}

const FRESH_MS = 1_000;

async function countLeft(db: Db): Promise<number> {
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
