-- One row per sequence; taken with UPDATE … RETURNING inside the writing transaction, whose row lock makes
-- sequence order commit order.
CREATE TABLE change_counters (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

-- The leased work table. A job is due when run_at has passed and no live lease holds it.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  payload TEXT NOT NULL,
  run_at TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  leased_by TEXT,
  lease_until TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL
);

CREATE UNIQUE INDEX jobs_kind_key ON jobs (kind, key);

CREATE INDEX jobs_due ON jobs (run_at);
