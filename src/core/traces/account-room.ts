import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Limit, takeFrom } from '#core/limits/rate-windows.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { FitSpansOptions } from './fit-spans.ts';
import { deleteOldestSpansOf } from './spans.ts';

/**
 * Limits the spans of one account: per hour, and by its share of storage. When the share is used up, its oldest spans
 * are deleted as if they had expired; those of the last hour stay, because their runs may still be active.
 */

const HOUR_MS = 3_600_000;
/** Truncated spans have a separate budget: this part of the budget for whole spans. */
const SHORT_PART = 4;
/** Spans deleted at once, a few batches. */
const MOST_DELETED = 512;

export interface AccountRoomOptions {
  db: Kysely<Schema>;
  clock: Clock;
  storage: StorageGate;
  kb_per_hour: number;
}

export function accountRoom(options: AccountRoomOptions): Pick<FitSpansOptions, 'take' | 'takeShort'> {
  const { db, clock, storage, kb_per_hour } = options;
  const whole: Limit = { name: 'spans', count: kb_per_hour, window_ms: HOUR_MS };
  const short: Limit = { name: 'short-spans', count: Math.ceil(kb_per_hour / SHORT_PART), window_ms: HOUR_MS };
  const takes = async (limit: Limit, userId: string, bytes: number): Promise<boolean> => {
    const kb = Math.max(1, Math.ceil(bytes / 1_024));
    return (await takeFrom(db, limit, userId, clock.now(), kb)).is_free;
  };
  return {
    take: async (userId, bytes) => {
      await makeRoom(userId);
      return takes(whole, userId, bytes);
    },
    takeShort: (userId, bytes) => takes(short, userId, bytes),
  };

  async function makeRoom(user_id: string): Promise<void> {
    const { used_bytes, limit_bytes } = await storage.share(db, user_id, 'traces');
    if (used_bytes <= limit_bytes) return;
    await deleteOldestSpansOf(db, { user_id, before: isoTime(clock.now() - HOUR_MS) }, MOST_DELETED);
  }
}
