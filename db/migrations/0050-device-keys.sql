-- Keys of browsers and programs that confirm sensitive requests in place of a wallet. `active_at` is null while the key waits:
-- another key or a wallet of the account has to confirm it, or from `usable_from` on its owner can finish without one.
CREATE TABLE device_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  address TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  usable_from TEXT,
  active_at TEXT,
  last_used_at TEXT
);
CREATE INDEX device_keys_by_user ON device_keys (user_id);
