-- A conversation with the agent. `working_turn` is the one turn that may be at work, until `working_until` at the latest.
-- `state` is JSON: what the user was shown and may choose from, and whether text of strangers has entered.
CREATE TABLE agent_conversations (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  turns INTEGER NOT NULL,
  size INTEGER NOT NULL,
  working_turn TEXT,
  working_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE INDEX agent_conversations_user ON agent_conversations (user_id, updated_at);
CREATE INDEX agent_conversations_age ON agent_conversations (updated_at);

-- `input`, `messages`, `steps`, `usage` and `error` are JSON; `messages` are the model's own, as it wants them back.
CREATE TABLE agent_turns (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES agent_conversations (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  model TEXT NOT NULL,
  input TEXT NOT NULL,
  message TEXT NOT NULL,
  messages TEXT NOT NULL,
  steps TEXT NOT NULL,
  usage TEXT NOT NULL,
  error TEXT,
  trace_id TEXT NOT NULL,
  cancel_requested_at TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT
);

CREATE UNIQUE INDEX agent_turns_order ON agent_turns (conversation_id, seq);

-- The model that a user has chosen for the agent.
CREATE TABLE agent_models (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  chosen_at TEXT NOT NULL
);
