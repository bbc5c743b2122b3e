import { type Kysely, sql } from 'kysely';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { usedDigests } from './documents.ts';
import type { Room } from './room.ts';

/** Deletes documents of removed listings, and files that no document names. */

const EVERY_MS = 6 * 3_600_000;
const DELETED_AT_ONCE = 500;
/** A process writes a file before the row that names it. */
const YOUNG_MS = 3_600_000;

interface SweepDeps {
  db: Kysely<Schema>;
  blobs: BlobStore;
  clock: Clock;
  room: Pick<Room, 'forget'>;
}

export const sweepHandler =
  ({ db, blobs, clock, room }: SweepDeps): JobHandler =>
  async ({ signal }) => {
    while ((await dropRemoved(db)) >= DELETED_AT_ONCE) signal.throwIfAborted();
    room.forget();
    await sweepFiles(db, blobs, signal);
    return { again_at_ms: clock.now() + EVERY_MS };
  };

/** Tombstones are kept for a month; their documents are not. */
async function dropRemoved(db: Kysely<Schema>): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM listing_documents WHERE (provider_id, external_id) IN (
    SELECT l.provider_id, l.external_id FROM listings l
    JOIN listing_documents d ON d.provider_id = l.provider_id AND d.external_id = l.external_id
    WHERE l.removed_at IS NOT NULL LIMIT ${DELETED_AT_ONCE})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** By groups, so that a large store is not read at once. */
async function sweepFiles(db: Kysely<Schema>, blobs: BlobStore, signal: AbortSignal): Promise<void> {
  for await (const digests of blobs.older(YOUNG_MS)) {
    signal.throwIfAborted();
    const used = await usedDigests(db, digests);
    for (const digest of digests) if (!used.has(digest)) await blobs.remove(digest);
  }
}
