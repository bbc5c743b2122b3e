-- What was searched for and which results were chosen, as numbers a day. No person and no address is kept: only hashes with the
-- salt of the day, so that nobody counts twice, and both are deleted when the day is over.
CREATE TABLE search_days (
  day TEXT PRIMARY KEY,
  salt TEXT,
  searches INTEGER NOT NULL
);
CREATE TABLE search_voices (
  day TEXT NOT NULL,
  voice TEXT NOT NULL,
  PRIMARY KEY (day, voice)
);
CREATE TABLE search_queries (
  day TEXT NOT NULL,
  query_key TEXT NOT NULL,
  query TEXT,
  searches INTEGER NOT NULL,
  results INTEGER,
  PRIMARY KEY (day, query_key)
);
CREATE TABLE search_choices (
  day TEXT NOT NULL,
  query_key TEXT NOT NULL,
  capability_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  choices INTEGER NOT NULL,
  PRIMARY KEY (day, query_key, capability_id, kind, position)
);
