-- A server that listings name, as it was when it was last visited. Several listings may name the same: they share the row.
-- `target` is what is asked, as JSON; `id` is its sha256. A reason of NULL: not known.
CREATE TABLE probe_targets (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  target TEXT NOT NULL,
  wanted BIGINT NOT NULL,
  reason TEXT,
  detail TEXT NOT NULL,
  protocol_version TEXT,
  server TEXT,
  tools_hash TEXT,
  tool_count INTEGER,
  -- Visits in a row that did not end with `ok`.
  failures INTEGER NOT NULL,
  due_at TEXT NOT NULL,
  last_probed_at TEXT,
  last_seen_at TEXT
);

CREATE INDEX probe_targets_host ON probe_targets (host, due_at);

CREATE TABLE probe_listings (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  target_id TEXT NOT NULL REFERENCES probe_targets (id) ON DELETE CASCADE,
  PRIMARY KEY (provider_id, external_id),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);

CREATE INDEX probe_listings_target ON probe_listings (target_id);

-- `folded` is what a search looks in.
CREATE TABLE probe_tools (
  target_id TEXT NOT NULL REFERENCES probe_targets (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  input_schema TEXT,
  folded TEXT NOT NULL,
  PRIMARY KEY (target_id, position)
);

CREATE INDEX probe_tools_name ON probe_tools (name, target_id, position);

-- When a host may be visited next, and what its robots.txt says to us.
CREATE TABLE probe_hosts (
  host TEXT PRIMARY KEY,
  -- Visits in a row at which it could not be reached or asked us to wait.
  failures INTEGER NOT NULL,
  next_visit_at TEXT NOT NULL,
  -- Until then it asked not to be visited, also where an operator orders it.
  wait_until TEXT,
  robots TEXT,
  robots_read_at TEXT
);

CREATE INDEX probe_hosts_next ON probe_hosts (next_visit_at);

-- Up to here the changes of listings are looked through for servers.
INSERT INTO change_counters (name, value) VALUES ('probes_planned', 0);

-- Finished runs of the last days are counted by what was run, from the index alone.
CREATE INDEX tasks_finished ON tasks (finished_at, capability_kind, capability_ref, user_id, status)
WHERE finished_at IS NOT NULL;
