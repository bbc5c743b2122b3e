-- CI workflows that may publish a listing without a stored key, and the tokens that their jobs get for it.
CREATE TABLE trusted_publishers (
  id TEXT PRIMARY KEY,
  listing_id TEXT NOT NULL REFERENCES published_listings (id),
  issuer TEXT NOT NULL,
  repository TEXT NOT NULL,
  workflow TEXT NOT NULL,
  environment TEXT NOT NULL,
  owner_id TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT
);
CREATE INDEX trusted_publishers_listing ON trusted_publishers (listing_id);
CREATE TABLE publish_tokens (
  token_hash TEXT PRIMARY KEY,
  trusted_publisher_id TEXT NOT NULL REFERENCES trusted_publishers (id),
  published_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX publish_tokens_trusted ON publish_tokens (trusted_publisher_id);
CREATE INDEX publish_tokens_expires ON publish_tokens (expires_at);
-- Identity tokens that were exchanged, as hashes, so that none is accepted twice.
CREATE TABLE used_identity_tokens (
  token_hash TEXT PRIMARY KEY,
  expires_at TEXT NOT NULL
);
CREATE INDEX used_identity_tokens_expires ON used_identity_tokens (expires_at);
-- JSON of the workflow that published a version.
ALTER TABLE published_versions ADD COLUMN published_by TEXT;
