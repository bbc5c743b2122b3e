-- Whose run a span is part of; NULL for the operator's own. No reference: spans are written after the run.
ALTER TABLE spans ADD COLUMN user_id TEXT;

CREATE INDEX spans_user ON spans (user_id, started_at);
