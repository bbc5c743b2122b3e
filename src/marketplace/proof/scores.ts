import type { Kysely } from 'kysely';
import type { Level } from '#catalog/items/verification.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityScoreRow } from '#core/db/schema-proof.ts';

/** Scores of capabilities: the only SQL that names `capability_scores`. */

type Db = Kysely<Schema>;

export interface Score {
  /** A current capability, or a subject without one, such as `skill/json-diff`. */
  id: string;
  /** The level by runs alone, at least `listed`. The static checks are evaluated with the listing. */
  level: Level;
  /** The listing with that level: `listing/<provider>/<id>`, `capability/<id>` or `skill/<name>`. */
  level_subject: string;
  reached_at: string | null;
  expires_at: string | null;
  hot_score: number;
  /** This and the next two: over the last seven days. */
  runs: number;
  success_rate: number;
  callers: number;
  /** Runs per day over the last seven days, oldest first. */
  trend: number[];
  /** Number of entries of the receipts log, and the time of the computation. */
  log_size: number;
  computed_at: string;
}

/** Below both databases' limit of parameters per statement. */
const MOST = 500;

/** Scores by id; without runs there is none. Plain SQL, because the index thread has no query builder. */
export async function scoresOf(db: Pick<Connection, 'query'>, ids: readonly string[]): Promise<Map<string, Score>> {
  const found = new Map<string, Score>();
  for (let at = 0; at < ids.length; at += MOST) {
    const some = ids.slice(at, at + MOST);
    const marks = some.map(() => '?').join(',');
    const rows = await db.query<CapabilityScoreRow>(`SELECT * FROM capability_scores WHERE id IN (${marks})`, some);
    for (const row of rows) found.set(row.id, scoreOf(row));
  }
  return found;
}

const scoreOf = (row: CapabilityScoreRow): Score => ({
  ...row,
  level: row.level as Level,
  runs: Number(row.runs),
  callers: Number(row.callers),
  log_size: Number(row.log_size),
  trend: JSON.parse(row.trend) as number[],
});

const rowOf = (score: Score): CapabilityScoreRow => ({ ...score, trend: JSON.stringify(score.trend) });

export async function saveScore(trx: Db, score: Score): Promise<void> {
  const row = rowOf(score);
  await trx
    .insertInto('capability_scores')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function dropScores(trx: Db, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST)
    await trx
      .deleteFrom('capability_scores')
      .where('id', 'in', ids.slice(at, at + MOST))
      .execute();
}

/** Recently run capabilities with a score, hottest first. Runs of few or related accounts give no score. */
export async function hottest(db: Db, most: number): Promise<Score[]> {
  const rows = await db
    .selectFrom('capability_scores')
    .selectAll()
    .where('runs', '>', 0)
    .where('hot_score', '>', 0)
    .orderBy('hot_score', 'desc')
    .orderBy('callers', 'desc')
    .orderBy('runs', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(scoreOf);
}

/** A page, sorted by id. */
export async function pageOfScores(db: Db, after: string, limit: number): Promise<Score[]> {
  const rows = await db
    .selectFrom('capability_scores')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(scoreOf);
}
