-- Who publishes here. The name is claimed once: whatever becomes of the account, nobody else gets it or a look-alike.
-- `look` is what look-alikes share, or its sha256 where the account is gone.
CREATE TABLE publishers (
  id TEXT PRIMARY KEY,
  user_id TEXT UNIQUE REFERENCES users (id) ON DELETE SET NULL,
  name TEXT NOT NULL UNIQUE,
  look TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  closed_at TEXT
);

-- What is published, owned by its publisher's name and its own. `look` as above, of its own name. `seq` is the number of
-- the transaction that last changed it.
CREATE TABLE published_listings (
  id TEXT PRIMARY KEY,
  publisher_id TEXT NOT NULL REFERENCES publishers (id),
  name TEXT NOT NULL,
  look TEXT NOT NULL,
  listing_type TEXT NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT NOT NULL,
  seq BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (publisher_id, name)
);

CREATE INDEX published_listings_seq ON published_listings (seq);
CREATE INDEX published_listings_look ON published_listings (look);

INSERT INTO change_counters (name, value) VALUES ('published', 0);

-- What was published once stays as it is; only its status changes. JSON: tags, findings, claim, files (path, size, sha256).
CREATE TABLE published_versions (
  listing_id TEXT NOT NULL REFERENCES published_listings (id),
  version TEXT NOT NULL,
  digest TEXT NOT NULL,
  description TEXT NOT NULL,
  license TEXT NOT NULL,
  execution_class TEXT NOT NULL,
  tags TEXT NOT NULL,
  findings TEXT NOT NULL,
  claim TEXT,
  files TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT NOT NULL,
  status_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (listing_id, version)
);

CREATE INDEX published_versions_created ON published_versions (created_at);

-- Contents, each once however many versions have it; base64. Taken away with the last version that has it.
CREATE TABLE published_contents (
  sha256 TEXT PRIMARY KEY,
  content TEXT NOT NULL
);

CREATE TABLE published_files (
  listing_id TEXT NOT NULL,
  version TEXT NOT NULL,
  sha256 TEXT NOT NULL REFERENCES published_contents (sha256),
  PRIMARY KEY (listing_id, version, sha256),
  FOREIGN KEY (listing_id, version) REFERENCES published_versions (listing_id, version)
);

CREATE INDEX published_files_sha256 ON published_files (sha256);

-- Every change, with the reason that was given. `seq` orders them; one change may touch several versions.
CREATE TABLE published_changes (
  listing_id TEXT NOT NULL REFERENCES published_listings (id),
  seq BIGINT NOT NULL,
  version TEXT NOT NULL,
  change TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (listing_id, seq, version)
);
