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
  -- Whether its listing stands. One whose listing is gone is in no group; it points to where its group went.
  is_live INTEGER NOT NULL,
  -- The capability that stands for it: itself, or the one it is merged into.
  stands_id TEXT NOT NULL,
  -- Digest of all that identity is judged by; where it is unchanged nothing is judged anew. '' of what is published here.
  traits TEXT NOT NULL DEFAULT '',
  -- Why it is merged: JSON, the strongest links to others of its group. Confidence from 0 to 1.
  evidence TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  -- The number of the transaction that last changed anything that is shown of it.
  seq BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (provider_id, external_id)
);

CREATE INDEX capabilities_stands ON capabilities (stands_id, id);
CREATE INDEX capabilities_seq ON capabilities (seq, id);

-- By what a listing can be found to be the same as another: type and kind, then package, remote address, repository, …
-- Of listings that stand.
CREATE TABLE capability_keys (
  key TEXT NOT NULL,
  id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  -- The provider, or the one of its marketplaces: how many of one shelf share a key says how much it says.
  shelf TEXT NOT NULL,
  PRIMARY KEY (key, id)
);

CREATE INDEX capability_keys_id ON capability_keys (id);

-- Pairs that are the same by their evidence, whether or not something keeps them apart. a_id < b_id; evidence is JSON.
CREATE TABLE capability_links (
  a_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  b_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  confidence DOUBLE PRECISION NOT NULL,
  evidence TEXT NOT NULL,
  PRIMARY KEY (a_id, b_id)
);

CREATE INDEX capability_links_b ON capability_links (b_id);

-- What operators have judged: that two are the same, or are not, whatever the evidence says. The newest of a pair holds.
-- a_id < b_id; rows of one order share `at`, `reason` and `actor`.
CREATE TABLE capability_judgements (
  id TEXT PRIMARY KEY,
  a_id TEXT NOT NULL REFERENCES capabilities (id),
  b_id TEXT NOT NULL REFERENCES capabilities (id),
  is_same INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL
);

CREATE INDEX capability_judgements_a ON capability_judgements (a_id);
CREATE INDEX capability_judgements_b ON capability_judgements (b_id);

-- The newest change of a capability, and the newest changes of listings and of what is published that were looked at.
INSERT INTO change_counters (name, value) VALUES ('capabilities', 0);
INSERT INTO change_counters (name, value) VALUES ('capabilities_listings', 0);
INSERT INTO change_counters (name, value) VALUES ('capabilities_published', 0);
-- The rules by which they were looked at: with others everything is judged anew.
INSERT INTO change_counters (name, value) VALUES ('capabilities_rules', 0);
