import type { Kysely } from 'kysely';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';

/** How far the receipts log and the changes of capabilities have been processed. */

type Mark = 'proof_receipts' | 'proof_capabilities';

export async function readMark(db: Kysely<Schema>, name: Mark): Promise<number> {
  const row = await db.selectFrom('change_counters').select('value').where('name', '=', name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

export async function setMark(trx: Kysely<Schema>, name: Mark, value: number): Promise<void> {
  await trx.updateTable('change_counters').set({ value }).where('name', '=', name).execute();
}

/** The changed capabilities with runs: their current ids, and ids with a score. */
export async function changedAmong(
  db: Pick<Connection, 'query'>,
  since: number,
): Promise<{ last: number; ids: string[] }> {
  const [mark] = await db.query<{ value: number }>("SELECT value FROM change_counters WHERE name = 'capabilities'");
  const last = Number(mark?.value ?? 0);
  if (last === since) return { last, ids: [] };
  const rows = await db.query<{ id: string; stands_id: string; subject: string; score_id: string | null }>(
    `SELECT c.id, c.stands_id, r.subject, s.id AS score_id FROM capabilities c
     LEFT JOIN capability_scores s ON s.id = c.id
     LEFT JOIN (SELECT DISTINCT subject FROM proof_runs) r ON r.subject =
       CASE WHEN c.provider_id = 'capstan' THEN 'capability/' || c.external_id
       ELSE 'listing/' || c.provider_id || '/' || c.external_id END
     WHERE c.seq > ? AND c.seq <= ? AND (r.subject IS NOT NULL OR s.id IS NOT NULL)`,
    [since, last],
  );
  const ids = rows.flatMap((row) => [
    ...(row.subject === null ? [] : [row.stands_id, row.subject]),
    ...(row.score_id === null ? [] : [row.score_id, row.stands_id]),
  ]);
  return { last, ids: [...new Set(ids)] };
}
