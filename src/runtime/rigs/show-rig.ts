import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { RigLockRow } from '#core/db/schema-rigs.ts';
import { findLock, type ListedRig, listVersions } from './rigs.ts';
import type { StoredRig } from './stored-rig.ts';

/** Rigs as their owners see them. */

export const rigLine = ({ user_id: _, ...line }: ListedRig) => line;

export const shownLock = ({ digest, created_at, content }: RigLockRow) => ({ digest, created_at, content });

export async function wholeRig(db: Kysely<Schema>, { row, version }: StoredRig) {
  const { description, digest, lock_digest, yaml } = version;
  const [lock, versions] = await Promise.all([findLock(db, version), listVersions(db, row.id)]);
  return {
    id: row.id,
    name: row.name,
    version: version.version,
    description,
    digest,
    lock_digest,
    yaml,
    created_at: row.created_at,
    updated_at: row.updated_at,
    lock: lock === undefined ? null : shownLock(lock),
    versions: versions.map(({ number: _, ...rest }) => rest),
  };
}
