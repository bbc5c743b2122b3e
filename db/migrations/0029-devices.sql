-- Browsers and programs that signed in to an account before: their password attempts are counted apart from a stranger's. Only the
-- SHA-256 of a device's token is here.
CREATE TABLE devices (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);

CREATE UNIQUE INDEX devices_token ON devices (token_hash);
CREATE INDEX devices_user ON devices (user_id);
CREATE INDEX devices_expiry ON devices (expires_at);
