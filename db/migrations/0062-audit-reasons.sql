-- Why an operator did what an entry of the audit log records. It is free text, so it is not part of the chain, and it is deleted with the
-- account that it is about.
CREATE TABLE audit_reasons (
  seq BIGINT PRIMARY KEY,
  reason TEXT NOT NULL
);

CREATE INDEX audit_log_action ON audit_log (action, seq);
