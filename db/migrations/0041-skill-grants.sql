-- What users gave the skills of listings to run with. `skill` is `provider/external_id`; `environment` (values that are not secret),
-- `hosts` and `wanted_hosts` are JSON. `accepted` is the digest of the packages whose installation the user accepted.
CREATE TABLE skill_grants (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  skill TEXT NOT NULL,
  environment TEXT NOT NULL,
  hosts TEXT NOT NULL,
  wanted_hosts TEXT NOT NULL,
  accepted TEXT,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (user_id, skill)
);

-- Encrypted values of environment variables.
CREATE TABLE skill_secrets (
  user_id TEXT NOT NULL,
  skill TEXT NOT NULL,
  field TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (user_id, skill, field),
  FOREIGN KEY (user_id, skill) REFERENCES skill_grants (user_id, skill) ON DELETE CASCADE
);

-- The exact packages of a version of a skill, so that it gets the same ones after they were removed from the store. `user_id` is
-- NULL for runs of the operator, `wanted` the digest of the packages that the skill asked for, `id` the digest of owner, skill,
-- version and ecosystem.
CREATE TABLE skill_locks (
  id TEXT PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  ecosystem TEXT NOT NULL,
  wanted TEXT NOT NULL,
  content TEXT NOT NULL,
  lock_sha256 TEXT NOT NULL,
  tree_sha256 TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT NOT NULL,
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);
CREATE INDEX skill_locks_listing ON skill_locks (provider_id, external_id, user_id);
CREATE INDEX skill_locks_owner ON skill_locks (user_id, used_at);

-- JSON: what the user gave a task beyond its input, such as values and the permission to install packages.
ALTER TABLE tasks ADD COLUMN given TEXT;
