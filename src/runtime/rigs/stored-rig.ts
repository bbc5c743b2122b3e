import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { RigRow, RigVersionRow } from '#core/db/schema-rigs.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { readRigYaml } from './read-rig-yaml.ts';
import { noSuchRig, noSuchVersion, unfitRig } from './refusals.ts';
import type { Rig } from './rig.ts';
import { findRig, findVersion, type Owned } from './rigs.ts';

/** A rig of the database, read again: rules may have become stricter since it was stored. */

export interface StoredRig {
  row: RigRow;
  version: RigVersionRow;
}

/** By default the newest version. Throws `rigs.not_found` (`rig`) or `rigs.not_found` (`version`). */
export async function storedRig(db: Kysely<Schema>, of: Owned, version?: string): Promise<StoredRig> {
  const row = await findRig(db, of);
  if (row === undefined) throw noSuchRig();
  const found = await findVersion(db, row.id, version ?? row.version);
  if (found === undefined) throw noSuchVersion(row.name, version ?? row.version);
  return { row, version: found };
}

export async function parsedRig({ yaml }: Pick<RigVersionRow, 'yaml'>, share: Share): Promise<Rig> {
  const read = await readRigYaml(yaml, share);
  if (read.rig === null) throw unfitRig(read.violations);
  return read.rig;
}
