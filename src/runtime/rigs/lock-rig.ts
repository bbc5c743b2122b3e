import { isoTime } from '#core/clock/clock.ts';
import type { RigLockRow } from '#core/db/schema-rigs.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { RigsDeps } from './deps.ts';
import { lockBroken, notLocked, unresolved } from './refusals.ts';
import type { Rig } from './rig.ts';
import { differencesOf, type Finding, lockDigest, lockText, readLock } from './rig-lock.ts';
import type { GatherParts } from './rig-parts.ts';
import { findLock, putLock } from './rigs.ts';
import { parsedRig, type StoredRig } from './stored-rig.ts';

/** Locks a rig to its current parts. Nothing is written if a part is unavailable: `rigs.part_unavailable` (`skill_gone`) and the like. */
export async function lockRig(
  { db, clock, gather, storage }: Pick<RigsDeps, 'db' | 'clock' | 'gather' | 'storage'>,
  { row, version }: StoredRig,
): Promise<RigLockRow> {
  const rig = await parsedRig(version, userShare(row.user_id));
  const { parts, faults } = await gather(rig, row.user_id, null);
  if (faults.length > 0) throw unresolved(faults);
  const content = lockText(rig, version.digest, parts);
  const lock: RigLockRow = {
    rig_id: row.id,
    version: version.version,
    digest: lockDigest(content),
    content,
    created_at: isoTime(clock.now()),
  };
  await storage.require(db, row.user_id, 'rigs', Buffer.byteLength(content));
  await putLock(db, lock);
  return lock;
}

interface Verified {
  rig: Rig;
  lock: RigLockRow;
  /** Empty if everything matches the lock. */
  findings: Finding[];
}

/** Compares the current parts with the lock. Throws `rigs.conflict` (`not_locked`) without a lock. */
export async function verifyLock(
  { db, gather }: { db: RigsDeps['db']; gather: GatherParts },
  { row, version }: StoredRig,
): Promise<Verified> {
  const lock = await findLock(db, version);
  if (lock === undefined) throw notLocked(row.name, version.version);
  const rig = await parsedRig(version, userShare(row.user_id));
  const locked = readLock(lock.content);
  const now = await gather(rig, row.user_id, locked.model?.id ?? null);
  return { rig, lock, findings: differencesOf(locked, now) };
}

/** Throws `rigs.conflict` (`lock_broken`) unless everything matches the lock. */
export function mustHold({ row }: StoredRig, { findings }: Verified): void {
  if (findings.length > 0) throw lockBroken(row.name, findings);
}
