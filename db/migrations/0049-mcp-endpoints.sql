-- Chosen tools of a user's connections as one MCP endpoint with its own token, of which only the SHA-256 is stored. A token that was
-- made with an API key ends with that key.
CREATE TABLE mcp_endpoints (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  api_key_id TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT
);
CREATE UNIQUE INDEX mcp_endpoints_name ON mcp_endpoints (user_id, name);
CREATE INDEX mcp_endpoints_api_key ON mcp_endpoints (api_key_id);

-- `prefix` is the first part of the names of its tools. `tools` is JSON, the names of the chosen tools; NULL for all of them.
CREATE TABLE mcp_endpoint_connections (
  endpoint_id TEXT NOT NULL REFERENCES mcp_endpoints (id) ON DELETE CASCADE,
  connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  prefix TEXT NOT NULL,
  tools TEXT,
  PRIMARY KEY (endpoint_id, connection_id)
);
CREATE UNIQUE INDEX mcp_endpoint_connections_prefix ON mcp_endpoint_connections (endpoint_id, prefix);
CREATE INDEX mcp_endpoint_connections_connection ON mcp_endpoint_connections (connection_id);
