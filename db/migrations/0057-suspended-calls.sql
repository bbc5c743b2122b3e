-- Questions of calls that wait for the person at an MCP client, so that any process can continue the call. `answer`, from the process
-- that received it, and `next`, the result or the next question from the process of the call, are sealed. `call_sha256`: of the
-- arguments, which the client repeats. `expires_at`: nobody waits for it any more.
CREATE TABLE suspended_calls (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  call_sha256 TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  answer TEXT,
  next TEXT
);
CREATE INDEX suspended_calls_by_user ON suspended_calls (user_id);
CREATE INDEX suspended_calls_by_expiry ON suspended_calls (expires_at);
