-- What a request for a single listing adds beyond `install`: JSON of facts, such as tools, and of the files of a skill.
ALTER TABLE listing_details ADD COLUMN facts TEXT;
ALTER TABLE listing_details ADD COLUMN license TEXT;
ALTER TABLE listing_details ADD COLUMN files TEXT;
-- How many files it has; `files` may have fewer.
ALTER TABLE listing_details ADD COLUMN file_count INTEGER;
-- Of the list's record that the detail belongs to. Requests are due again when the record changes.
ALTER TABLE listing_details ADD COLUMN record_key TEXT;
-- Why the last request failed; '' if it did not.
ALTER TABLE listing_details ADD COLUMN error TEXT NOT NULL DEFAULT '';

-- README, SKILL.md and earlier versions of listings. The text is a file in DATA_DIR, named by its digest.
CREATE TABLE listing_documents (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- As stored.
  bytes INTEGER NOT NULL,
  -- 1 if the source is longer than what is stored.
  shortened INTEGER NOT NULL DEFAULT 0,
  validators TEXT NOT NULL DEFAULT '{}',
  fetched_at TEXT NOT NULL,
  PRIMARY KEY (provider_id, external_id, kind),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);
CREATE INDEX listing_documents_digest ON listing_documents (digest);

-- The background pass reads the most downloaded first.
CREATE INDEX listings_popular ON listings (provider_id, downloads, external_id, listing_type) WHERE removed_at IS NULL;
