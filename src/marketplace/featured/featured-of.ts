import type { Connection } from '#core/db/connection.ts';
import { inChunks } from '#marketplace/moderation/standing-of.ts';

/** Which capabilities are featured, and why. Plain SQL, because the index thread uses it, too. */

export interface FeaturedNote {
  origin: 'curated' | 'automatic';
  reason: string;
  since: string;
  until: string | null;
}

/** Notes of current capabilities, by id; those that are not featured are absent. */
export async function featuredOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, FeaturedNote>> {
  const found = new Map<string, FeaturedNote>();
  for (const { stands_id, ...note } of await inChunks<FeaturedNote & { stands_id: string }>(connection, SELECT, ids))
    if (!found.has(stands_id)) found.set(stands_id, note);
  return found;
}

/** If a merged capability has several, the curated one wins. */
const SELECT = `SELECT c.stands_id, f.origin, f.reason, f.since, f.until
  FROM capabilities c JOIN capability_featured f ON f.capability_id = c.id
  WHERE c.stands_id IN (#) ORDER BY f.origin DESC, f.place, f.since`;
