import type { Connection } from '#core/db/connection.ts';
import { RULES } from './rules.ts';

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
