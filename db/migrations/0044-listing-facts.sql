-- What providers report about a listing beyond its own columns: title, icons, status, versions and tools, as JSON. `facts_held` has
-- a bit for each kind that is counted (catalog/items/facts.ts), so that counting reads no JSON.
ALTER TABLE listings ADD COLUMN facts TEXT;
ALTER TABLE listings ADD COLUMN facts_held INTEGER NOT NULL DEFAULT 0;

-- README or SKILL.md of a listing, where its provider's record has it. `facts` has the digest.
CREATE TABLE listing_readmes (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (provider_id, external_id),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);

-- Without them, the next sync reads every catalog in full instead of being told that nothing has changed.
UPDATE sync_states SET validators = '{}';
