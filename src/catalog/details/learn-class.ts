import type { Kysely } from 'kysely';
import type { ExecutionClass } from '#catalog/items/kinds.ts';
import type { ListedFile } from '#catalog/items/listing-details.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { findDetail, saveDetail } from './details.ts';

/** Saves the execution class that a listing's fetched files show, for lists, filters and the next sync. */
export type LearnClass = (row: ListingRow, shown: ExecutionClass) => Promise<void>;

/** Replaces `prompt` only, because lists do not mention scripts. Any other class from a list is kept. */
export const learnClass =
  ({ db, clock }: { db: Kysely<Schema>; clock: Clock }): LearnClass =>
  async (row, shown) => {
    if (row.execution_class === shown || shown === 'mcp') return;
    const known = await findDetail(db, row);
    const learned = known?.execution_class ?? null;
    // A skill whose list of files has scripts stays `scripted`, also if this run needed none of them.
    if (shown === 'prompt' && hasScripts(known?.files)) return;
    // A later version may have no scripts. Only a class learned before is reset.
    if (row.execution_class !== 'prompt' && learned !== row.execution_class) return;
    await saveDetail(db, row, { execution_class: shown === 'prompt' ? null : shown }, isoTime(clock.now()));
  };

const hasScripts = (files: string | null | undefined): boolean =>
  files != null && (JSON.parse(files) as ListedFile[]).some(({ script }) => script);
