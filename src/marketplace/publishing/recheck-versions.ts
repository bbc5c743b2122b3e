import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { Problem } from '#core/problem/problem.ts';
import { readContents } from '#marketplace/listings/contents.ts';
import {
  changeListing,
  changeVersions,
  findListing,
  listCheckedBelow,
  nextChange,
  type ToRecheck,
} from '#marketplace/listings/listings.ts';
import { type PublishedFile, recheckFiles } from './check-files.ts';
import { CHECKS_VERSION } from './checks-version.ts';
import { findingsColumn } from './publish-version.ts';

/** The recurring job that checks published versions again after the checks have changed. */

/** Versions per run of the job, each at most 1 MiB. */
const BATCH = 20;

interface RecheckVersionsDeps {
  db: Kysely<Schema>;
  clock: Clock;
}

type Fence = Parameters<JobHandler>[0]['fence'];

/** Checks at most `most` versions. Returns whether more are due. */
export async function recheckVersions(
  deps: RecheckVersionsDeps,
  fence: Fence,
  signal: AbortSignal,
  most = BATCH,
): Promise<boolean> {
  const due = await listCheckedBelow(deps.db, CHECKS_VERSION, most);
  for (const version of due) {
    if (signal.aborted) break;
    await save(deps, fence, version, await findingsNow(deps.db, version));
    await nextTurn();
  }
  return due.length === most;
}

/** Findings as JSON; null if the stored files are unreadable, which `capstand doctor` reports. Old findings are then kept. */
async function findingsNow(db: Kysely<Schema>, row: ToRecheck): Promise<string | null> {
  try {
    const contents = await readContents(db, row, JSON.parse(row.files) as PublishedFile[]);
    return findingsColumn(await recheckFiles({ ...row, contents }, OWN_SHARE));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function save(
  { db, clock }: RecheckVersionsDeps,
  fence: Fence,
  { listing_id, version, findings: before }: ToRecheck,
  findings: string | null,
): Promise<void> {
  const checked = { checked_with: CHECKS_VERSION };
  await db.transaction().execute(async (trx) => {
    await fence(trx);
    if (findings === null || findings === before) return changeVersions(trx, listing_id, [version], checked);
    const seq = await nextChange(trx);
    const listing = await findListing(trx, listing_id);
    // If it was withdrawn meanwhile, its files and findings are deleted.
    const [row] = await listCheckedBelow(trx, CHECKS_VERSION, 1, { listing_id, version });
    if (listing === undefined || row === undefined) return;
    await changeVersions(trx, listing_id, [version], { ...checked, findings, findings_at: isoTime(clock.now()) });
    // The index and the linker follow this number.
    await changeListing(trx, listing_id, { seq, updated_at: listing.updated_at });
  });
}
