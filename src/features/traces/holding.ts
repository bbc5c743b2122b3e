import type { Holding } from '../users/holding.ts';
import { deleteSealsOf } from './sealed-traces.ts';
import { deleteSpansOf, listSpansOf } from './spans.ts';

const MOST_SPANS = 1_000;

/** Spans have no reference to their owner. The export shows the newest; receipts keep the digests of traces that go. */
export const tracesHolding: Holding = {
  name: 'spans',
  read: (db, { user_id }) => listSpansOf(db, { user_id }, MOST_SPANS),
  erase: async (trx, { user_id }) => {
    await deleteSpansOf(trx, user_id);
    await deleteSealsOf(trx, user_id);
  },
};
