import type { Kysely } from 'kysely';
import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { findDetail, saveDetail } from './details.ts';

/** Notes the class that a listing's files showed when they were fetched, for lists, filters and the next sync. */
export type LearnClass = (row: ListingRow, shown: ExecutionClass) => Promise<void>;

/** Lists that say `prompt` know nothing of scripts; what a list says otherwise stands. */
export const learnClass =
  ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): LearnClass =>
  async (row, shown) => {
    if (row.execution_class === shown || shown === 'mcp') return;
    const learned = (await findDetail(db, row))?.execution_class ?? null;
    // Another version may have no scripts any more: only what was learned before is taken back.
    if (row.execution_class !== 'prompt' && learned !== row.execution_class) return;
    await saveDetail(db, row, { execution_class: shown === 'prompt' ? null : shown }, isoTime(clock.now()));
  };
