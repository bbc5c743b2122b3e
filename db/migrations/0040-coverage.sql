-- What of each provider's listings runs here, as it was last counted. `counted_for` names the state of listings and probes: while it
-- is the same, nothing has to be counted again.
CREATE TABLE coverage (
  provider_id TEXT PRIMARY KEY,
  counted_at TEXT NOT NULL,
  counted_for TEXT NOT NULL,
  -- JSON.
  figures TEXT NOT NULL
);
