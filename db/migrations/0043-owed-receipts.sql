-- Tool calls whose receipt is not signed yet. A row is written before the call reaches its server, so that a killed process
-- leaves it behind. `outcome` is NULL until the call has ended; `lease_until` is renewed while its process lives. Signing moves
-- the row to `receipts` under the same id.
CREATE TABLE owed_receipts (
  id TEXT PRIMARY KEY,
  user_id TEXT,
  facts TEXT NOT NULL,
  outcome TEXT,
  lease_until TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE INDEX owed_receipts_of_user ON owed_receipts (user_id);
