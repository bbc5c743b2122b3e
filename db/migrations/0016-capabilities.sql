-- One thing, however many providers list it. Each listing, of a provider or published here, has a capability of its own from
-- the day it is first seen, and keeps its id for good; of those that are the same thing the oldest stands, and the others
-- point to it. Taking a merge back is pointing to itself again.
CREATE TABLE capabilities (
  -- UUIDv7; of what is published here the listing's own id.
  id TEXT PRIMARY KEY,
  -- Its own listing; provider_id is 'capstan' for what is published here, external_id then its id.
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  listing_type TEXT NOT NULL,
  -- The capability that stands for it: itself, or the one it is merged into.
  stands_id TEXT NOT NULL,
  -- Why it is merged: JSON, empty where it stands for itself. Confidence from 0 to 1.
  evidence TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  -- The number of the transaction that last changed anything that is shown of it.
  seq BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (provider_id, external_id)
);

CREATE INDEX capabilities_stands ON capabilities (stands_id);
CREATE INDEX capabilities_seq ON capabilities (seq);

-- By what a listing can be found to be the same as another: package, remote address, repository with folder and name, …
CREATE TABLE capability_keys (
  id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (id, kind, key)
);

CREATE INDEX capability_keys_key ON capability_keys (kind, key);

-- What operators have judged: that two are the same, or are not, whatever the evidence says. a_id < b_id.
CREATE TABLE capability_judgements (
  a_id TEXT NOT NULL,
  b_id TEXT NOT NULL,
  is_same INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (a_id, b_id)
);

-- The newest change of a capability, and the newest changes of listings and of what is published that were looked at.
INSERT INTO change_counters (name, value) VALUES ('capabilities', 0);
INSERT INTO change_counters (name, value) VALUES ('capabilities_listings', 0);
INSERT INTO change_counters (name, value) VALUES ('capabilities_published', 0);
