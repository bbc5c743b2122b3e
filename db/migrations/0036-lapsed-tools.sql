-- When the check of a server's tools stopped counting because nobody had visited it for too long; null while it counts.
ALTER TABLE probe_targets ADD COLUMN tools_lapsed_at TEXT;

CREATE INDEX probe_targets_checked ON probe_targets (tools_checked_at) WHERE tools_lapsed_at IS NULL;
