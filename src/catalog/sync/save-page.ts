import type { Kysely } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import { saveAliases } from '#catalog/items/aliases.ts';
import type { ListedStatus } from '#catalog/items/facts.ts';
import type { Listing } from '#catalog/items/item.ts';
import { removeListings, type Save, saveListings, saveStatuses } from '#catalog/items/items.ts';
import { invalidReason } from '#catalog/items/validate-listing.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Ending, finishRun, greater } from './finish-run.ts';
import type { Adapted, Page } from './provider.ts';
import { type Rejected, saveRejected } from './rejected.ts';
import { type SyncState, writeSyncState } from './sync-states.ts';

/**
 * Saves a page and the run's new cursor in one transaction, which for the last page also ends the run. A kill therefore never
 * leaves half a page, or a run without an end.
 */
export async function savePage(
  trx: Kysely<Schema>,
  state: SyncState,
  page: Page,
  now_ms: number,
  ending: Ending,
): Promise<SyncState> {
  const save: Save = { run: state.run_id, now: isoTime(now_ms), seq: lazySeq(trx) };
  const { listings, deleted, statuses, rejected } = sortOut(page.records, state.provider_id);
  const saved = await saveListings(trx, state.provider_id, listings, save);
  await saveAliases(trx, state.provider_id, listings);
  const removed = deleted.length === 0 ? 0 : await removeListings(trx, state.provider_id, deleted, save);
  await saveStatuses(trx, state.provider_id, statuses);
  await saveRejected(trx, state.provider_id, rejected, { run_id: state.run_id, now: save.now });
  const moved: SyncState = {
    ...state,
    cursor: page.next,
    seen: state.seen + saved.seen,
    total: page.total ?? state.total,
    added: state.added + saved.added,
    updated: state.updated + saved.updated,
    removed: state.removed + removed,
    rejected: state.rejected + rejected.length,
    max_watermark: greater(state.max_watermark, page.watermark),
  };
  const next = page.next === null ? await finishRun(trx, moved, save, ending) : moved;
  await writeSyncState(trx, next);
  return next;
}

/** Invalid listings are rejected like unreadable records. */
function sortOut(records: Adapted[], providerId: string) {
  const listings: Listing[] = [];
  const deleted: string[] = [];
  const statuses = new Map<string, ListedStatus>();
  const rejected: Rejected[] = [];
  for (const record of records) {
    if (record.kind === 'deleted') {
      deleted.push(record.external_id);
      if (record.status !== undefined) statuses.set(record.external_id, record.status);
    } else if (record.kind === 'rejected') rejected.push(record);
    else {
      const { listing } = record;
      const reason = listing.provider_id === providerId ? invalidReason(listing) : 'belongs to another provider';
      if (reason === null) listings.push(listing);
      else rejected.push({ kind: 'rejected', external_id: String(listing.external_id), reason, raw: listing });
    }
  }
  return { listings, deleted, statuses, rejected };
}
