-- What users reported of capabilities. One open report of a user and capability; the text goes with its account.
CREATE TABLE capability_reports (
  id TEXT PRIMARY KEY,
  -- As it stood when it was reported.
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  -- Null where the account is gone. Told to nobody but operators' audit.
  reporter_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  -- open, dismissed, acted
  status TEXT NOT NULL,
  -- What operators said to it, and the entry of the history that says so.
  outcome TEXT NOT NULL,
  entry_id TEXT,
  created_at TEXT NOT NULL,
  closed_at TEXT
);

CREATE UNIQUE INDEX capability_reports_open ON capability_reports (capability_id, reporter_id) WHERE status = 'open';
CREATE INDEX capability_reports_status ON capability_reports (status, created_at);
CREATE INDEX capability_reports_reporter ON capability_reports (reporter_id);

-- What stands against a capability now, a row for each of its members: after a split it stands against every part.
CREATE TABLE capability_measures (
  -- The entry of the history that took it.
  measure_id TEXT NOT NULL,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  -- flag, takedown
  measure TEXT NOT NULL,
  kind TEXT NOT NULL,
  rule TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- operator, automatic
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (measure_id, capability_id)
);

CREATE INDEX capability_measures_capability ON capability_measures (capability_id);

-- Appeals against measures, one each. The text is for operators, and goes with its account.
CREATE TABLE capability_appeals (
  id TEXT PRIMARY KEY,
  measure_id TEXT NOT NULL,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  text TEXT NOT NULL,
  -- open, upheld, granted, withdrawn
  status TEXT NOT NULL,
  outcome TEXT NOT NULL,
  created_at TEXT NOT NULL,
  decided_at TEXT,
  UNIQUE (measure_id, capability_id)
);

CREATE INDEX capability_appeals_status ON capability_appeals (status, created_at);
CREATE INDEX capability_appeals_user ON capability_appeals (user_id);

-- All that was decided on a capability and all that became of its claims, for everybody to read: nobody's name is in it.
CREATE TABLE capability_history (
  id TEXT PRIMARY KEY,
  -- In the order in which it was decided, whatever the clocks say.
  seq BIGINT NOT NULL UNIQUE,
  -- As it stood then.
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  change TEXT NOT NULL,
  -- operator, automatic, owner
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  rule TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- The measure or the publisher that it is about; empty where it is about neither.
  measure_id TEXT NOT NULL,
  publisher_id TEXT NOT NULL,
  at TEXT NOT NULL
);

CREATE INDEX capability_history_capability ON capability_history (capability_id);
CREATE INDEX capability_history_measure ON capability_history (measure_id) WHERE measure_id <> '';

-- What is shown first, each with its reason. `origin` is curated or automatic; curated ones by place, then age.
CREATE TABLE capability_featured (
  capability_id TEXT PRIMARY KEY REFERENCES capabilities (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  reason TEXT NOT NULL,
  place INTEGER NOT NULL,
  since TEXT NOT NULL,
  until TEXT
);

-- Who says to be the owner of what a provider lists. At most one verified claim stands for a capability.
CREATE TABLE capability_claims (
  id TEXT PRIMARY KEY,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  publisher_id TEXT NOT NULL REFERENCES publishers (id),
  -- repository_file, wallet
  method TEXT NOT NULL,
  token TEXT NOT NULL,
  -- type:address of the wallet that signed; empty for repository_file.
  wallet TEXT NOT NULL,
  signature TEXT NOT NULL,
  -- The listing whose repository it is proved by, and the file's address there.
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  file_url TEXT NOT NULL,
  -- pending, verified, lapsed, revoked, replaced, expired
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  verified_at TEXT,
  checked_at TEXT,
  -- Since when the file says it no more; null while it does.
  failing_since TEXT,
  ended_at TEXT
);

CREATE UNIQUE INDEX capability_claims_verified ON capability_claims (capability_id) WHERE status = 'verified';
CREATE INDEX capability_claims_capability ON capability_claims (capability_id);
CREATE INDEX capability_claims_publisher ON capability_claims (publisher_id);
CREATE INDEX capability_claims_checked ON capability_claims (checked_at) WHERE status = 'verified';

-- JSON of what took it down here, null for all others. Of a listing `removed_at` is then when; a sync changes neither, so
-- that what is down stays down.
ALTER TABLE listings ADD COLUMN taken_down TEXT;
ALTER TABLE published_listings ADD COLUMN taken_down TEXT;

CREATE INDEX listings_taken_down ON listings (provider_id) WHERE taken_down IS NOT NULL;

-- Finds who else is in a repository that somebody claims.
CREATE INDEX listings_repository ON listings (repository) WHERE repository <> '';

-- The newest change of capabilities that measures were carried over after.
INSERT INTO change_counters (name, value) VALUES ('capabilities_moderated', 0);
