-- Runs as the receipts' log tells of them, in its order: what levels and scores are made of. `subject` is what was signed,
-- without its version: skill/<name>, listing/<provider>/<id> or capability/<id>. `pin` is what was run: the digest of its
-- files, or of the address of its server. Whoever deletes the account stays in the log, and is nobody here.
CREATE TABLE proof_runs (
  leaf_index BIGINT PRIMARY KEY,
  receipt_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  version TEXT NOT NULL,
  pin TEXT NOT NULL,
  -- user, service (our own check runs), operator (the command line) or nobody (accounts that are gone)
  caller TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  -- completed or failed; what was its caller's or our own fault is not here
  outcome TEXT NOT NULL,
  input_mac TEXT NOT NULL,
  output_mac TEXT NOT NULL,
  at TEXT NOT NULL
);

CREATE INDEX proof_runs_subject ON proof_runs (subject, at);
CREATE INDEX proof_runs_user ON proof_runs (user_id, at);
CREATE INDEX proof_runs_at ON proof_runs (at);

-- What one version of one listing has shown. `levels` is JSON: each level it has, since when and until when.
CREATE TABLE capability_proofs (
  subject TEXT NOT NULL,
  pin TEXT NOT NULL,
  version TEXT NOT NULL,
  level TEXT NOT NULL,
  reached_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  levels TEXT NOT NULL,
  runs INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  callers INTEGER NOT NULL,
  last_run_at TEXT NOT NULL,
  last_receipt_id TEXT NOT NULL,
  PRIMARY KEY (subject, pin)
);

-- Of each standing capability that was run, or of a subject that is no capability; all its listings together. `trend` is
-- JSON: runs of each of the last days. What the log held when it was computed, and when that was, say how to do it again.
CREATE TABLE capability_scores (
  id TEXT PRIMARY KEY,
  level TEXT NOT NULL,
  level_subject TEXT NOT NULL,
  reached_at TEXT,
  expires_at TEXT,
  hot_score DOUBLE PRECISION NOT NULL,
  runs INTEGER NOT NULL,
  success_rate DOUBLE PRECISION NOT NULL,
  callers INTEGER NOT NULL,
  trend TEXT NOT NULL,
  log_size BIGINT NOT NULL,
  computed_at TEXT NOT NULL
);

CREATE INDEX capability_scores_hot ON capability_scores (hot_score);

-- What our own check runs came to, of each listing that was tried.
CREATE TABLE proof_checks (
  subject TEXT PRIMARY KEY,
  result TEXT NOT NULL,
  detail TEXT NOT NULL,
  checked_at TEXT NOT NULL,
  due_at TEXT NOT NULL
);

CREATE INDEX proof_checks_due ON proof_checks (due_at);

-- Up to here the log of receipts, and the changes of capabilities, were looked at.
INSERT INTO change_counters (name, value) VALUES ('proof_receipts', 0);
INSERT INTO change_counters (name, value) VALUES ('proof_capabilities', 0);

-- What is run most is counted from receipts now.
DROP INDEX tasks_finished;
