INSERT INTO change_counters (name, value) VALUES ('listings', 0);

-- The greatest sequence number among tombstones that are gone for good: no delta can begin before it.
INSERT INTO change_counters (name, value) VALUES ('listings_purged', 0);

CREATE TABLE listings (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  version TEXT NOT NULL,
  author TEXT NOT NULL,
  homepage TEXT NOT NULL,
  downloads BIGINT NOT NULL,
  stars BIGINT NOT NULL,
  tags TEXT NOT NULL,
  listing_type TEXT NOT NULL,
  execution_class TEXT NOT NULL,
  external_updated_at TEXT,
  license TEXT NOT NULL,
  repository TEXT NOT NULL,
  install TEXT,
  manifest TEXT,
  reported TEXT NOT NULL,
  -- sha256 of the saved content: an unchanged listing takes no sequence number.
  digest TEXT NOT NULL,
  -- The sequence number of the transaction that last changed it; several rows share one.
  seq BIGINT NOT NULL,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  -- The full run in which it was last seen, and how many full runs in a row have missed it.
  seen_run TEXT NOT NULL,
  missed_runs INTEGER NOT NULL DEFAULT 0,
  removed_at TEXT,
  PRIMARY KEY (provider_id, external_id)
);

CREATE INDEX listings_seq ON listings (seq);

CREATE INDEX listings_removed ON listings (removed_at) WHERE removed_at IS NOT NULL;

-- Former ids of listings, so that an old link still finds the one that stands.
CREATE TABLE listing_aliases (
  provider_id TEXT NOT NULL,
  alias TEXT NOT NULL,
  external_id TEXT NOT NULL,
  PRIMARY KEY (provider_id, alias)
);

-- Records that did not fit, newest run only.
CREATE TABLE rejected_records (
  provider_id TEXT NOT NULL,
  record_key TEXT NOT NULL,
  external_id TEXT,
  reason TEXT NOT NULL,
  raw TEXT NOT NULL,
  run_id TEXT NOT NULL,
  rejected_at TEXT NOT NULL,
  PRIMARY KEY (provider_id, record_key)
);

-- The state of each provider's sync: the run under way or the last one, its cursor, and what the next one needs.
CREATE TABLE sync_states (
  provider_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  mode TEXT NOT NULL,
  run_id TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  cursor TEXT,
  -- Since this time (the run's own watermark so far is max_watermark) an incremental run asks.
  watermark TEXT,
  max_watermark TEXT,
  validators TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  total INTEGER,
  added INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  -- {code, detail} of the last failure, and how many runs in a row have failed.
  error TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  -- Seen by the last full run that succeeded, and when: the measure of "far fewer than before" and of full passes.
  last_full_seen INTEGER,
  last_full_at TEXT,
  last_success_at TEXT,
  next_run_at TEXT
);
