import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { RigRow } from '#core/db/schema-rigs.ts';
import type { RigsDeps } from './deps.ts';
import { noSuchRig, noSuchVersion } from './refusals.ts';
import { deleteRigRow, deleteVersion, findRig, listVersions, type Owned, touchRig } from './rigs.ts';

interface RemovedRig {
  rig: RigRow;
  /** Empty if the whole rig was deleted. */
  versions_left: string[];
}

/**
 * Deletes one version of a rig with its locks, or the whole rig: the last version takes the rig with it. Its tasks,
 * receipts, traces and published versions stay; a waiting task is rejected when its turn comes.
 */
export async function removeRig(
  { db, clock }: Pick<RigsDeps, 'db' | 'clock'>,
  of: Owned,
  version?: string,
): Promise<RemovedRig> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, of.user_id))) throw noSuchUser();
    const rig = await findRig(trx, of);
    if (rig === undefined) throw noSuchRig();
    const versions = await listVersions(trx, rig.id);
    if (version !== undefined && !versions.some((stored) => stored.version === version))
      throw noSuchVersion(rig.name, version);
    const left = version === undefined ? [] : versions.filter((stored) => stored.version !== version);
    const [newest] = left;
    if (newest === undefined || version === undefined) {
      await deleteRigRow(trx, rig.id);
      return { rig, versions_left: [] };
    }
    await deleteVersion(trx, rig.id, version);
    await touchRig(trx, rig.id, { version: newest.version, updated_at: isoTime(clock.now()) });
    return { rig, versions_left: left.map((stored) => stored.version) };
  });
}
