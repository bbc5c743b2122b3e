-- The locks of skills that were published here: `skill_locks` is for the listings of providers. `provider_id` is `capstan`.
CREATE TABLE published_skill_locks (
  id TEXT PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL REFERENCES published_listings (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  ecosystem TEXT NOT NULL,
  wanted TEXT NOT NULL,
  content TEXT NOT NULL,
  lock_sha256 TEXT NOT NULL,
  tree_sha256 TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT NOT NULL
);
CREATE INDEX published_skill_locks_listing ON published_skill_locks (external_id, user_id);
CREATE INDEX published_skill_locks_owner ON published_skill_locks (user_id, used_at);
