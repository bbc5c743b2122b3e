-- Sessions of MCP clients that can be asked something in the middle of a call: what a client said of itself when it
-- began, so that any process serves any of its messages.
CREATE TABLE mcp_sessions (
  id TEXT PRIMARY KEY,
  -- Null where it was begun without a credential.
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- Whom it counts against.
  owner TEXT NOT NULL,
  -- JSON, the params of its initialize.
  hello TEXT NOT NULL,
  -- So long after it was last used.
  expires_at TEXT NOT NULL
);

CREATE INDEX mcp_sessions_owner ON mcp_sessions (owner);
CREATE INDEX mcp_sessions_user ON mcp_sessions (user_id);
CREATE INDEX mcp_sessions_expiry ON mcp_sessions (expires_at);

-- What came in to another process than the one whose call waits for it.
CREATE TABLE mcp_session_mail (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES mcp_sessions (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  sealed_message TEXT NOT NULL,
  expires_at TEXT NOT NULL
);

CREATE INDEX mcp_session_mail_address ON mcp_session_mail (session_id, address);
CREATE INDEX mcp_session_mail_expiry ON mcp_session_mail (expires_at);
