import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { RIG_YAML, readRigYaml } from '#runtime/rigs/read-rig-yaml.ts';
import { digestOfYaml } from '#runtime/rigs/rig.ts';
import { findLock, findRig, findVersion } from '#runtime/rigs/rigs.ts';
import type { Rigs } from '#runtime/runs/rig/open-rigs.ts';
import type { GivenFiles } from '#runtime/skills/checks/given-files.ts';
import type { CheckedFiles } from './check-files.ts';
import { RIG_LOCK } from './check-rig-files.ts';

/** The lock of a published rig: the given one, or the current one of the publisher's stored rig. */

/** Adds the current lock of the publisher's stored rig, if the files are exactly its rig.yaml without a lock. */
export async function withStoredLock(
  { db }: { db: Kysely<Schema> },
  user_id: string,
  files: GivenFiles,
): Promise<GivenFiles> {
  const given = files.find(({ path }) => path === RIG_YAML);
  if (given === undefined || files.some(({ path }) => path === RIG_LOCK)) return files;
  const yaml = given.content ?? Buffer.from(given.base64 ?? '', 'base64').toString('utf8');
  const { rig } = await readRigYaml(yaml, userShare(user_id));
  // Its errors are reported with the other findings.
  if (rig === null) return files;
  const { name, version: wanted } = rig.metadata;
  const row = await findRig(db, { user_id, ref: name });
  const version = row === undefined ? undefined : await findVersion(db, row.id, wanted);
  if (version === undefined || version.digest !== digestOfYaml(yaml)) return files;
  const lock = await findLock(db, version);
  return lock === undefined ? files : [...files, { path: RIG_LOCK, content: lock.content }];
}

interface RigToPublish {
  name: string;
  version: string;
  checked: CheckedFiles;
}

/** Verifies the lock for its publisher. Throws `rigs.conflict` (`lock_broken`) with findings if it does not hold, so that no such lock is published. */
export async function verifyPublishedLock(
  { rigs }: { rigs: Pick<Rigs, 'ofFiles'> },
  user_id: string,
  { name, version, checked }: RigToPublish,
): Promise<void> {
  if (checked.listing_type !== 'rig') return;
  const place = { kind: 'capability', ref: name, name, version, digest: checked.digest } as const;
  // Nothing is run or charged here.
  const caller = {
    user_id,
    share: userShare(user_id),
    charge: async () => {},
    refund: async () => {},
  };
  await rigs.ofFiles({ place, contents: checked.contents }, caller);
}
