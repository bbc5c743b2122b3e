-- What a server declares about a tool, such as that it only reads: JSON, '{}' if it declares nothing. NULL: stored by a former release.
ALTER TABLE probe_tools ADD COLUMN annotations TEXT;

-- The tools of a listing when they were last seen: short digests of the parts of each definition, as JSON.
CREATE TABLE listing_tool_sets (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  -- Of the listing at that time.
  version TEXT NOT NULL,
  tools_hash TEXT NOT NULL,
  prints TEXT NOT NULL,
  PRIMARY KEY (provider_id, external_id),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);

-- What changed from one such set to the next: names of tools that were added, removed, renamed and changed, as JSON.
CREATE TABLE listing_tool_changes (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  from_version TEXT NOT NULL,
  version TEXT NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (provider_id, external_id, changed_at),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);
