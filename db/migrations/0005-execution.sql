-- The job table carries the work, this row is the truth. A task that waits for its user's turn has queued_at and no
-- dispatched_at. `receipt_key` is sealed.
CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  capability_kind TEXT NOT NULL,
  capability_ref TEXT NOT NULL,
  capability_version TEXT NOT NULL,
  capability_digest TEXT NOT NULL,
  execution_class TEXT NOT NULL,
  input TEXT NOT NULL,
  input_files TEXT NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT,
  output TEXT,
  output_files TEXT,
  error TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
  trace_id TEXT,
  span_id TEXT,
  trace_parent TEXT,
  receipt_id TEXT,
  receipt_key TEXT,
  quota_day TEXT,
  created_at TEXT NOT NULL,
  queued_at TEXT,
  dispatched_at TEXT,
  started_at TEXT,
  finished_at TEXT,
  cancel_requested_at TEXT
);

CREATE INDEX tasks_user ON tasks (user_id, created_at);

CREATE INDEX tasks_status ON tasks (status, queued_at);

-- What a task's watchers are told, in order; kept so that a stream can be taken up again.
CREATE TABLE task_events (
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (task_id, seq)
);

-- What runs printed is deleted for age; the moves of a task are few and stay.
CREATE INDEX task_events_output ON task_events (at) WHERE type = 'output';

-- Signed before anything with an effect is done, so that a run that never came back is still told of.
CREATE TABLE run_intents (
  run_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  envelope TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (run_id, attempt)
);

-- Outlives the account of whoever ran it: nothing in it names a person.
CREATE TABLE receipts (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  envelope TEXT NOT NULL,
  key_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  leaf_index INTEGER UNIQUE
);

CREATE INDEX receipts_unlogged ON receipts (created_at) WHERE leaf_index IS NULL;

-- The Merkle log's finished nodes: level 0 is the leaf hashes, level n the roots of 2^n leaves.
CREATE TABLE log_nodes (
  level INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (level, position)
);

-- One a key that signs: a receipt is proved by a checkpoint of its own key, whatever key is in force now.
CREATE TABLE log_checkpoints (
  size INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  root TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (size, key_id)
);

INSERT INTO change_counters (name, value) VALUES ('receipt_log', 0);
