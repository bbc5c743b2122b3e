import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { deleteSealsBefore } from './sealed-traces.ts';
import { deleteSpansBefore } from './spans.ts';

/** Deletes expired spans and the seals of their traces. */

export const EXPIRE_SPANS = 'traces.expire';

interface ExpireSpansDeps extends Pick<Expiry, 'db' | 'clock'>, Partial<Pick<Expiry, 'batch'>> {
  retention_ms: number;
}

export const expireSpansKind = ({ db, clock, retention_ms, batch = 500 }: ExpireSpansDeps) =>
  expiryKind({ kind: EXPIRE_SPANS, db, clock, kept_ms: retention_ms, batch, remove: deleteTracesBefore });

/**
 * Deletes spans first: a seal is deleted only in a batch with room left, so no trace with spans is without its seal.
 */
export async function deleteTracesBefore(db: Expiry['db'], time: string, most: number): Promise<number> {
  const spans = await deleteSpansBefore(db, time, most);
  return spans === most ? spans : spans + (await deleteSealsBefore(db, time, most - spans));
}
