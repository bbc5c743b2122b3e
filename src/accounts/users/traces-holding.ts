import { deleteSealsOf } from '#core/traces/sealed-traces.ts';
import { deleteSpansOf, listSpansOf } from '#core/traces/spans.ts';
import type { Holding } from './holding.ts';

const MOST_SPANS = 1_000;

/** Spans have no foreign key to their owner. The export has the newest; receipts keep the digests of deleted traces. */
export const tracesHolding: Holding = {
  name: 'spans',
  read: (db, { user_id }) => listSpansOf(db, { user_id }, MOST_SPANS),
  erase: async (trx, { user_id }) => {
    await deleteSpansOf(trx, user_id);
    await deleteSealsOf(trx, user_id);
  },
};
