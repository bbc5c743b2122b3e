-- A measure concerns listings. What it says of each when it was taken, so that what is listed again later can be told, whatever
-- its provider writes meanwhile: JSON of the listing's traits, '' of what is published here and of what was taken before.
ALTER TABLE capability_measures ADD COLUMN traits TEXT NOT NULL DEFAULT '';

-- By what those listings can be found to be listed again: keys as in capability_keys, and own|digest|<digest> of what is
-- published here.
CREATE TABLE capability_measure_keys (
  key TEXT NOT NULL,
  measure_id TEXT NOT NULL,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  PRIMARY KEY (key, measure_id, capability_id)
);

CREATE INDEX capability_measure_keys_measure ON capability_measure_keys (measure_id);

-- What a measure does not concern though it is, or looks like, the same thing: left out by an operator, or with a better claim.
CREATE TABLE capability_spared (
  measure_id TEXT NOT NULL,
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  PRIMARY KEY (measure_id, capability_id)
);

CREATE INDEX capability_spared_capability ON capability_spared (capability_id);

-- Which listings an entry is about, and what they share with what was taken down: JSON.
ALTER TABLE capability_history ADD COLUMN listings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE capability_history ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]';

-- 1: of this very listing; 0: of the capability as a whole.
ALTER TABLE capability_reports ADD COLUMN is_about_listing INTEGER NOT NULL DEFAULT 0;

CREATE INDEX published_versions_digest ON published_versions (digest);
