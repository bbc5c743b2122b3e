/** The tables of 0041-skill-grants.sql, 0048-published-skill-locks.sql and 0051-skill-agreed.sql, column for column. */

export interface GrantsSchema {
  skill_grants: SkillGrantRow;
  skill_secrets: SkillSecretRow;
  skill_locks: SkillLockRow;
  published_skill_locks: SkillLockRow;
}

interface SkillGrantRow {
  user_id: string;
  skill: string;
  environment: string;
  hosts: string;
  wanted_hosts: string;
  accepted: string | null;
  agreed: string | null;
  updated_at: string;
}

interface SkillSecretRow {
  user_id: string;
  skill: string;
  field: string;
  version: number;
  sealed: string;
  updated_at: string;
}

interface SkillLockRow {
  id: string;
  user_id: string | null;
  provider_id: string;
  external_id: string;
  digest: string;
  ecosystem: string;
  wanted: string;
  content: string;
  lock_sha256: string;
  tree_sha256: string;
  created_at: string;
  used_at: string;
}
