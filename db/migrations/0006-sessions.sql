-- A managed connection to an MCP server. `auth` and `tools` are JSON; secrets are in connection_secrets only.
CREATE TABLE connections (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  provider_id TEXT,
  external_id TEXT,
  url TEXT NOT NULL,
  transport TEXT NOT NULL,
  status TEXT NOT NULL,
  auth TEXT NOT NULL,
  server_info TEXT,
  protocol_version TEXT,
  last_error TEXT,
  tools TEXT,
  tools_read_at TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT
);

CREATE INDEX connections_user ON connections (user_id, created_at);

-- Write-only. Sealed with tenant, connection, field and version as context: a row that is moved does not open.
CREATE TABLE connection_secrets (
  connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  field TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (connection_id, field)
);

-- A tool as its owner accepted it: at first use, or when they agreed to a change.
CREATE TABLE connection_tools (
  connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  tool TEXT NOT NULL,
  hash TEXT NOT NULL,
  definition TEXT NOT NULL,
  accepted_at TEXT NOT NULL,
  PRIMARY KEY (connection_id, tool)
);

-- What signing in to a connection's server knows. The tokens are a secret of the same version; a refresh is one row's lease.
CREATE TABLE connection_grants (
  connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  issuer TEXT NOT NULL,
  resource TEXT NOT NULL,
  scope TEXT NOT NULL,
  wanted_scope TEXT NOT NULL,
  discovery TEXT NOT NULL,
  client_id TEXT NOT NULL,
  expires_at TEXT,
  refreshed_at TEXT NOT NULL,
  lease_holder TEXT,
  lease_until TEXT
);

-- How we are registered with an issuer, by the address it sends browsers back to. Sealed with both as context.
CREATE TABLE connection_clients (
  issuer TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (issuer, redirect_uri)
);

-- One sign-in to a server under way, bound to its user, its connection and the browser that began it. The verifier and the
-- client are sealed.
CREATE TABLE connection_flows (
  state_hash TEXT PRIMARY KEY,
  connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  browser_hash TEXT NOT NULL,
  sealed TEXT NOT NULL,
  flow TEXT NOT NULL,
  return_to TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
);

CREATE INDEX connection_flows_expiry ON connection_flows (expires_at);
