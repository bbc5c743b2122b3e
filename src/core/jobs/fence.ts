import type { Connection } from '#core/db/connection.ts';
import type { Lease } from './jobs.ts';

/**
 * Like `JobTable.fence`, for a thread with a plain connection. Call it in the transaction. Throws if the lease is lost.
 */
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
