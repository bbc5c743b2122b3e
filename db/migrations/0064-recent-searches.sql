-- Searches of the last half hour, so that a choice counts in whichever process it is made. `name` is an HMAC of who searched and `query`
-- of what, `sealed` the search; their keys are not in the database.
CREATE TABLE search_recent (
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  at TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (name, query)
);
CREATE INDEX search_recent_at ON search_recent (at);
