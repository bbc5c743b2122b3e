-- What was done that matters for security, by whom, to what, from where. Names accounts by id alone, because it outlives them.
-- Each row's hash is over the row and the hash before it, so that a row which is changed or taken away is seen.
CREATE TABLE audit_log (
  seq BIGINT PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL,
  -- done, refused
  outcome TEXT NOT NULL,
  request_id TEXT,
  -- The network that it came from: never the whole address.
  address TEXT,
  -- Empty for the entries of before there was a chain, which are the first ones.
  hash TEXT NOT NULL
);

INSERT INTO audit_log (seq, at, actor, action, target, detail, outcome, request_id, address, hash)
SELECT row_number() OVER (ORDER BY at, id), at, actor, action, target, detail, 'done', NULL, NULL, '' FROM audit_entries;

DROP TABLE audit_entries;

CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_actor ON audit_log (actor, seq);
CREATE INDEX audit_log_target ON audit_log (target, seq);

-- The last entry of each day's expiry: the chain goes on from its hash.
CREATE TABLE audit_anchors (
  seq BIGINT PRIMARY KEY,
  hash TEXT NOT NULL,
  removed_on TEXT NOT NULL
);

-- The newest entry, and the newest that was written to the log of the processes.
INSERT INTO change_counters (name, value) SELECT 'audit', count(*) FROM audit_log;
INSERT INTO change_counters (name, value) SELECT 'audit_told', count(*) FROM audit_log;
