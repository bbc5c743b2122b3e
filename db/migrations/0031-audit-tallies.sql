-- What was done or refused again and again within an hour, beyond what the audit log has an entry each for. After the hour each row
-- becomes one entry.
CREATE TABLE audit_tallies (
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  -- The network, and what it was done to; '*' for several.
  address TEXT NOT NULL,
  target TEXT NOT NULL,
  -- ISO time of the hour's beginning.
  hour TEXT NOT NULL,
  times INTEGER NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (hour, actor, action, outcome, address, target)
);

-- How often somebody did something lately.
CREATE INDEX audit_log_lately ON audit_log (actor, action, outcome, at);
