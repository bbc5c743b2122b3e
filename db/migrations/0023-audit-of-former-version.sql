-- While an upgrade rolls, processes of before 0022 write their entries here: what they do must not fail, nor go unseen. A job
-- takes them into audit_log.
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
);
