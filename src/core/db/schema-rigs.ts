/** The tables of 0012-rigs.sql, column for column. */

export interface RigsSchema {
  rigs: RigRow;
  rig_versions: RigVersionRow;
  rig_locks: RigLockRow;
}

export interface RigRow {
  id: string;
  user_id: string;
  name: string;
  version: string;
  created_at: string;
  updated_at: string;
}

export interface RigVersionRow {
  rig_id: string;
  version: string;
  /** From 1, in the order of storage. */
  number: number;
  digest: string;
  description: string;
  yaml: string;
  lock_digest: string | null;
  created_at: string;
}

export interface RigLockRow {
  rig_id: string;
  version: string;
  digest: string;
  content: string;
  created_at: string;
}
