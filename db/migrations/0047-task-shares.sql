-- Links to runs that their owners share. `token_hash` is the SHA-256 of the link's secret in hex; `shows` is JSON: what others see
-- besides the result.
CREATE TABLE task_shares (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  shows TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT
);
CREATE INDEX task_shares_task ON task_shares (task_id);
CREATE INDEX task_shares_user ON task_shares (user_id);
CREATE INDEX task_shares_expired ON task_shares (expires_at) WHERE expires_at IS NOT NULL;

-- For the deletion of runs that ended long ago.
CREATE INDEX tasks_finished ON tasks (finished_at) WHERE finished_at IS NOT NULL;
