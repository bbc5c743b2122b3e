import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { deleteSealsBefore } from './sealed-traces.ts';
import { deleteSpansBefore } from './spans.ts';

/** Spans, and the seals of their traces, are deleted once they are over their age. */

export const EXPIRE_SPANS = 'traces.expire';

export interface ExpireSpansDeps extends Pick<Expiry, 'db' | 'clock'>, Partial<Pick<Expiry, 'batch'>> {
  retention_ms: number;
}

export const expireSpansKind = ({ db, clock, retention_ms, batch = 500 }: ExpireSpansDeps) =>
  expiryKind({ kind: EXPIRE_SPANS, db, clock, kept_ms: retention_ms, batch, remove: deleteTracesBefore });

/** The spans first: a seal goes in a batch that has room left, so no trace is open while it has spans. */
export async function deleteTracesBefore(db: Expiry['db'], time: string, most: number): Promise<number> {
  const spans = await deleteSpansBefore(db, time, most);
  return spans === most ? spans : spans + (await deleteSealsBefore(db, time, most - spans));
}
