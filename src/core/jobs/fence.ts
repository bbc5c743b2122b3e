import type { Connection } from '#core/db/connection.ts';
import type { Lease } from './jobs.ts';

/** As `JobTable.fence`, for a thread that has a plain connection. Call it in the transaction. Throws where the lease is lost. */
export async function fenceOver(
  db: Pick<Connection, 'query'>,
  { id, attempt }: Pick<Lease, 'id' | 'attempt'>,
): Promise<void> {
  const held = await db.query('UPDATE jobs SET leased_by = leased_by WHERE id = ? AND attempt = ? RETURNING id', [
    id,
    attempt,
  ]);
  if (held.length === 0) throw new Error(`job ${id}: taken over by another worker`);
}
