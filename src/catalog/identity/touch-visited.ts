import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { touchCapabilities } from './capability-changes.ts';

/** Has the capabilities read again whose listings name a server that was visited, in the transaction that keeps what was seen. */
export async function touchVisited(trx: Kysely<Schema>, target_id: string, now_ms: number): Promise<void> {
  const rows = await trx
    .selectFrom('capabilities as c')
    .innerJoin('probe_listings as l', (join) =>
      join.onRef('l.provider_id', '=', 'c.provider_id').onRef('l.external_id', '=', 'c.external_id'),
    )
    .select('c.id')
    .where('l.target_id', '=', target_id)
    .execute();
  await touchCapabilities(
    trx,
    rows.map(({ id }) => id),
    now_ms,
  );
}
