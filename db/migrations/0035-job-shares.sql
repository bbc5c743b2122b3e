-- Whose turn a job takes, so that workers take turns over users, and when each last had one. Null is the service's own work,
-- and what the version before put.
ALTER TABLE jobs ADD COLUMN share TEXT;

CREATE TABLE job_shares (
  kind TEXT NOT NULL,
  share TEXT NOT NULL,
  started_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (kind, share)
);

CREATE INDEX job_shares_expires ON job_shares (expires_at);
