-- When all tools of a connection were pinned, at its first call; NULL before. Tools that appear later wait for their owner.
ALTER TABLE connections ADD COLUMN tools_pinned_at TEXT;
