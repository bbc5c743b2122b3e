-- Questions of servers that wait for a person. The process of the call reads the answer, which another process may have
-- received: `answer` is sealed, and the row is deleted when it is read. `expires_at`: nobody waits for it any more.
CREATE TABLE server_questions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  answer TEXT
);
CREATE INDEX server_questions_by_user ON server_questions (user_id);
CREATE INDEX server_questions_by_expiry ON server_questions (expires_at);
-- What a server asks the owner of a running task, as JSON. NULL: nothing.
ALTER TABLE tasks ADD COLUMN asking TEXT;
