-- Collections: capabilities that operators put together, in their order.
CREATE TABLE collections (
  slug TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  place INTEGER NOT NULL,
  -- Another value with each change, so that two operators do not overwrite each other.
  revision TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE TABLE collection_listings (
  slug TEXT NOT NULL REFERENCES collections (slug) ON DELETE CASCADE,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  PRIMARY KEY (slug, capability_id)
);

CREATE INDEX collection_listings_capability ON collection_listings (capability_id);
