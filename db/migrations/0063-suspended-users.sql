-- Since when an operator has suspended the account, and the reason that its owner reads. Null and empty otherwise.
ALTER TABLE users ADD COLUMN suspended_at TEXT;
ALTER TABLE users ADD COLUMN suspended_reason TEXT NOT NULL DEFAULT '';
