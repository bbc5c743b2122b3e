import type { Kysely } from 'kysely';
import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { recordAudit, SERVICE_ITSELF } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { addEntry } from '#marketplace/moderation/history.ts';
import { findPublisher } from '#marketplace/publishers/publishers.ts';
import { changeClaim, claimsCheckedBefore, findClaim } from './claims.ts';
import { proves, readProofFile } from './proof-file.ts';

/** The recurring job that checks the file of each claim once a day. */

const DAY_MS = 86_400_000;
/** How long a file may not confirm the claim before it lapses. */
const GRACE_MS = 7 * DAY_MS;
const BATCH = 100;

interface RecheckDeps {
  db: Kysely<Schema>;
  clock: Clock;
  fetch: OutboundFetch;
}

type Fence = Parameters<JobHandler>[0]['fence'];

/** Returns whether more claims are due. */
export async function recheckDue(deps: RecheckDeps, fence: Fence, signal: AbortSignal): Promise<boolean> {
  const due = await claimsCheckedBefore(deps.db, isoTime(deps.clock.now() - DAY_MS), BATCH);
  for (const claim of due) {
    if (signal.aborted) break;
    await recheck(deps, claim, fence);
  }
  return due.length === BATCH;
}

/** An unreachable host does not affect a claim. */
export async function recheck(
  { db, clock, fetch }: RecheckDeps,
  claim: CapabilityClaimRow,
  fence: Fence,
): Promise<void> {
  const publisher = await findPublisher(db, claim.publisher_id);
  const read = await readProofFile(fetch, claim.file_url);
  const isAbsent =
    'failure' in read
      ? read.failure === 'absent'
      : publisher === undefined || !proves(read.file, claim, publisher.name);
  const isUnknown = 'failure' in read && read.failure === 'unreachable';
  const now = isoTime(clock.now());
  await db.transaction().execute(async (trx) => {
    await fence(trx);
    const failing_since = isUnknown ? claim.failing_since : isAbsent ? (claim.failing_since ?? now) : null;
    const isOver = failing_since !== null && clock.now() - Date.parse(failing_since) >= GRACE_MS;
    if (!isOver || isUnknown) return changeClaim(trx, claim.id, { checked_at: now, failing_since });
    await nextCapabilitySeq(trx);
    if ((await findClaim(trx, claim.id))?.status !== 'verified') return;
    await changeClaim(trx, claim.id, { checked_at: now, failing_since, status: 'lapsed', ended_at: now });
    const { capability_id, publisher_id } = claim;
    const reason = 'The repository has not confirmed the claim for seven days.';
    await addEntry(trx, { capability_id, change: 'claim_lapsed', actor: 'automatic', publisher_id, reason, at: now });
    await touchCapabilities(trx, [capability_id], clock.now());
    const entry = { actor: SERVICE_ITSELF, action: 'marketplace.lapse_claim', target: capability_id } as const;
    await recordAudit(trx, { ...entry, detail: { claim_id: claim.id } }, now);
  });
}
