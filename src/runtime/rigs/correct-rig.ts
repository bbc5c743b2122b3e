import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { RigsDeps } from './deps.ts';
import { type MadeRig, MOST_VERSIONS, newVersion } from './make-rig.ts';
import { readRigYaml } from './read-rig-yaml.ts';
import { nameDiffers, noSuchRig, tooManyVersions, unfitRig, versionLocked } from './refusals.ts';
import { digestOfYaml } from './rig.ts';
import { findRig, findVersion, insertVersion, listVersions, type Owned, replaceVersion, touchRig } from './rigs.ts';

/**
 * Stores a rig.yaml as the version of the rig that it names: a new one, or in place of one that was never locked. Throws
 * before anything is written: `rigs.not_found` (`rig`), `.unfit`, `.name_differs`, `.version_taken`, `.too_many`.
 */
export async function correctRig(
  { db, clock }: Pick<RigsDeps, 'db' | 'clock'>,
  of: Owned,
  yaml: string,
): Promise<MadeRig> {
  const read = await readRigYaml(yaml, userShare(of.user_id));
  if (read.rig === null) throw unfitRig(read.violations);
  const { rig: written } = read;
  const { name, version: wanted } = written.metadata;
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    // Held, so that two corrections come one after the other.
    if (!(await lockUser(trx, of.user_id))) throw noSuchUser();
    const rig = await findRig(trx, of);
    if (rig === undefined) throw noSuchRig();
    if (rig.name !== name) throw nameDiffers(rig.name, name);
    const same = await findVersion(trx, rig.id, wanted);
    if (same?.digest === digestOfYaml(yaml)) return { rig, version: same, is_new: false };
    if (same !== undefined) {
      const { digest, description } = newVersion(rig.id, written, yaml, same.number, now);
      if (!(await replaceVersion(trx, same, { yaml, digest, description }))) throw versionLocked(name, wanted);
      await touchRig(trx, rig.id, { version: rig.version, updated_at: now });
      return { rig: { ...rig, updated_at: now }, version: { ...same, yaml, digest, description }, is_new: true };
    }
    const versions = await listVersions(trx, rig.id);
    if (versions.length >= MOST_VERSIONS) throw tooManyVersions(MOST_VERSIONS);
    const version = newVersion(rig.id, written, yaml, (versions[0]?.number ?? 0) + 1, now);
    const stands = { ...rig, version: version.version, updated_at: now };
    await touchRig(trx, rig.id, stands);
    await insertVersion(trx, version);
    return { rig: stands, version, is_new: true };
  });
}
