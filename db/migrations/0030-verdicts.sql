-- JSON of what its provider says of a listing after it looked at it; null where it says nothing.
ALTER TABLE listings ADD COLUMN verdicts TEXT;

-- What the checks found in the tools that a server showed, as JSON, and when they last looked; null before they did.
ALTER TABLE probe_targets ADD COLUMN tools_checked_at TEXT;
ALTER TABLE probe_targets ADD COLUMN tool_findings TEXT;

-- Findings that an operator looked at and found harmless, with the public reason. `pin` is what the listing held then: of
-- anything else the findings count again.
CREATE TABLE finding_overrules (
  capability_id TEXT NOT NULL REFERENCES capabilities (id) ON DELETE CASCADE,
  pin TEXT NOT NULL,
  -- The entry of the history that says so.
  entry_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (capability_id, pin)
);
