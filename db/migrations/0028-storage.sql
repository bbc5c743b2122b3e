-- Bytes that each account keeps, by kind. Triggers of src/platform/storage change it with every charged row; a job measures
-- each account once a day. Backups leave both tables out, because they follow from the others.
CREATE TABLE storage_usage (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (user_id, kind)
);

-- Changes that are not in storage_usage yet. PostgreSQL's triggers add rows here, which waits for nobody and locks nothing; a job
-- adds them up. SQLite has one writer, so its triggers change storage_usage at once, and this stays empty.
CREATE TABLE storage_deltas (
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  bytes BIGINT NOT NULL
);

CREATE INDEX storage_deltas_user ON storage_deltas (user_id);

ALTER TABLE users ADD COLUMN storage_measured_at TEXT;

CREATE INDEX users_storage_measured ON users (storage_measured_at);

-- Whose run it was, as long as the account exists: receipts outlive it and name nobody.
ALTER TABLE receipts ADD COLUMN user_id TEXT;

CREATE INDEX receipts_user ON receipts (user_id);

ALTER TABLE run_intents ADD COLUMN user_id TEXT;

CREATE INDEX run_intents_user ON run_intents (user_id);
