-- A turn with the agent that a client of A2A began: that client's id of the message, and the task that the turn left at
-- work, which the client's own task goes on with.
CREATE TABLE agent_a2a_turns (
  turn_id TEXT PRIMARY KEY REFERENCES agent_turns (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  task_id TEXT
);
