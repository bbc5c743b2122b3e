import type { Connection } from '#core/db/connection.ts';
import type { CapabilityScoreRow } from '#core/db/schema-proof.ts';

/** The score fields that lists show. Plain SQL, because the index thread uses it, too. */

export type ShownScore = Pick<CapabilityScoreRow, 'id' | 'level' | 'reached_at' | 'expires_at' | 'hot_score'>;

/** Below both databases' limit of parameters per statement. */
const MOST = 500;

/** Scores by id; without runs there is none. */
export async function shownScoresOf(
  db: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, ShownScore>> {
  const found = new Map<string, ShownScore>();
  for (let at = 0; at < ids.length; at += MOST) {
    const some = ids.slice(at, at + MOST);
    const rows = await db.query<ShownScore>(
      `SELECT id, level, reached_at, expires_at, hot_score FROM capability_scores WHERE id IN (${some.map(() => '?').join(', ')})`,
      some,
    );
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}
