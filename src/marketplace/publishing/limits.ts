import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublisherRow } from '#core/db/schema-publishing.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { usageOf } from '#marketplace/listings/listings.ts';
import { tooMany } from '#marketplace/listings/refusals.ts';

const DAY_MS = 86_400_000;

/** Enforces the limits per account: 429 `marketplace.limit_exceeded` (`publishing`). Exact while the change number is locked. */
export async function checkLimits(
  { limits, clock }: Pick<MarketplaceDeps, 'limits' | 'clock'>,
  trx: Kysely<Schema>,
  { publisher, is_new, bytes }: { publisher: PublisherRow; is_new: boolean; bytes: number },
): Promise<void> {
  const nowMs = clock.now();
  const used = await usageOf(trx, publisher.id, isoTime(nowMs - DAY_MS));
  if (is_new && used.listings >= limits.listings_per_user) throw tooMany('listings', limits.listings_per_user);
  if (used.bytes + bytes > limits.bytes_per_user) throw tooMany('bytes of files', limits.bytes_per_user);
  if (used.recent < limits.versions_per_day) return;
  const freeAtMs = Date.parse(used.oldest ?? isoTime(nowMs)) + DAY_MS;
  throw tooMany('versions in 24 hours', limits.versions_per_day, Math.max(1, Math.ceil((freeAtMs - nowMs) / 1_000)));
}
