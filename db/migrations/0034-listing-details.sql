-- What is known of a listing beside its record in the provider's list: how it is installed, by the provider's own detail of
-- it, and the class that its files showed. The listing's row has it too; this is what a sync of the list leaves in place.
-- `install` is JSON. `digest` is of the detail as it came, `validators` what to ask with next time, `due_at` when.
CREATE TABLE listing_details (
  provider_id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  install TEXT,
  execution_class TEXT,
  digest TEXT,
  validators TEXT NOT NULL DEFAULT '{}',
  failures INTEGER NOT NULL DEFAULT 0,
  fetched_at TEXT,
  due_at TEXT,
  PRIMARY KEY (provider_id, external_id),
  FOREIGN KEY (provider_id, external_id) REFERENCES listings (provider_id, external_id) ON DELETE CASCADE
);

CREATE INDEX listing_details_due ON listing_details (provider_id, due_at);
