import { type Expiry, expiryKind } from '../../platform/jobs/expiry.ts';
import { deleteSpansBefore } from './spans.ts';

/** Spans go once they are over their age. */

export const EXPIRE_SPANS = 'traces.expire';

export interface ExpireSpansDeps extends Pick<Expiry, 'db' | 'clock'>, Partial<Pick<Expiry, 'batch'>> {
  retention_ms: number;
}

export const expireSpansKind = ({ db, clock, retention_ms, batch = 500 }: ExpireSpansDeps) =>
  expiryKind({ kind: EXPIRE_SPANS, db, clock, kept_ms: retention_ms, batch, remove: deleteSpansBefore });
