import type { Connection } from '#core/db/connection.ts';
import type { CapabilityScoreRow } from '#core/db/schema-proof.ts';

/** What is shown of scores in lists, by plain SQL that the index's thread runs too. */

export type ShownScore = Pick<CapabilityScoreRow, 'id' | 'level' | 'reached_at' | 'expires_at' | 'hot_score'>;

/** Below both engines' limits of parameters in one statement. */
const MOST = 500;

/** By id; what was never run has none. */
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
