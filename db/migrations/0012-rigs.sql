-- A rig by its owner and its name; `version` is the one that was stored last.
CREATE TABLE rigs (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (user_id, name)
);

-- A version never changes but for the lock that is in force.
CREATE TABLE rig_versions (
  rig_id TEXT NOT NULL REFERENCES rigs (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  number INTEGER NOT NULL,
  digest TEXT NOT NULL,
  description TEXT NOT NULL,
  yaml TEXT NOT NULL,
  lock_digest TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (rig_id, version)
);

-- Locks that were in force stay: a receipt names one by its digest.
CREATE TABLE rig_locks (
  rig_id TEXT NOT NULL,
  version TEXT NOT NULL,
  digest TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (rig_id, version, digest),
  FOREIGN KEY (rig_id, version) REFERENCES rig_versions (rig_id, version) ON DELETE CASCADE
);
