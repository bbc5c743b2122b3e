import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { RigRow, RigVersionRow } from '#core/db/schema-rigs.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { newId } from '#core/ids.ts';
import type { RigsDeps } from './deps.ts';
import { readRigYaml } from './read-rig-yaml.ts';
import { tooManyRigs, tooManyVersions, unfitRig, versionTaken } from './refusals.ts';
import { digestOfYaml, type Rig } from './rig.ts';
import { findRig, findVersion, insertRig, insertVersion, listRigs, listVersions, touchRig } from './rigs.ts';

export interface MadeRig {
  rig: RigRow;
  version: RigVersionRow;
  /** False where exactly this was stored before. */
  is_new: boolean;
}

export const MOST_VERSIONS = 200;

/** Stores a rig.yaml as a new rig, or as a new version of the one of its name. Throws before anything is written. */
export async function makeRig(
  { db, clock, rigs_per_user, storage }: Pick<RigsDeps, 'db' | 'clock' | 'rigs_per_user' | 'storage'>,
  user_id: string,
  yaml: string,
): Promise<MadeRig> {
  const read = await readRigYaml(yaml, userShare(user_id));
  if (read.rig === null) throw unfitRig(read.violations);
  const { metadata } = read.rig;
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    // Held, so that limits and versions are exact however many store at once.
    if (!(await lockUser(trx, user_id))) throw noSuchUser();
    const known = await findNamed(trx, user_id, metadata.name);
    if (known === undefined && (await listRigs(trx, user_id, { limit: 0, offset: 0 })).total_count >= rigs_per_user)
      throw tooManyRigs(rigs_per_user);
    const rig: RigRow = known ?? newRig(user_id, read.rig, now);
    const same = known === undefined ? undefined : await findVersion(trx, rig.id, metadata.version);
    if (same !== undefined) {
      if (same.digest !== digestOfYaml(yaml)) throw versionTaken(metadata.name, metadata.version);
      return { rig, version: same, is_new: false };
    }
    const versions = await listVersions(trx, rig.id);
    if (versions.length >= MOST_VERSIONS) throw tooManyVersions(MOST_VERSIONS);
    await storage.require(trx, user_id, 'rigs', Buffer.byteLength(yaml));
    const version = newVersion(rig.id, read.rig, yaml, (versions[0]?.number ?? 0) + 1, now);
    const stands = { ...rig, version: version.version, updated_at: now };
    if (known === undefined) await insertRig(trx, stands);
    else await touchRig(trx, rig.id, stands);
    await insertVersion(trx, version);
    return { rig: stands, version, is_new: true };
  });
}

/** A name must not look like an id. */
async function findNamed(trx: RigsDeps['db'], user_id: string, name: string): Promise<RigRow | undefined> {
  const found = await findRig(trx, { user_id, ref: name });
  return found?.name === name ? found : undefined;
}

const newRig = (user_id: string, { metadata: { name, version } }: Rig, now: string): RigRow => ({
  id: newId(),
  user_id,
  name,
  version,
  created_at: now,
  updated_at: now,
});

export const newVersion = (rig_id: string, rig: Rig, yaml: string, number: number, now: string): RigVersionRow => ({
  rig_id,
  version: rig.metadata.version,
  number,
  digest: digestOfYaml(yaml),
  description: rig.metadata.description,
  yaml,
  lock_digest: null,
  created_at: now,
});
