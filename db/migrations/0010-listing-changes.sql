-- When a listing last changed here. Later changes have later times, in the order in which they were committed.
ALTER TABLE listings ADD COLUMN changed_at TEXT NOT NULL DEFAULT '';

UPDATE listings SET changed_at = first_seen_at;

-- The time of the newest change, in milliseconds since the epoch.
INSERT INTO change_counters (name, value) VALUES ('listings_time', 0);

CREATE INDEX listings_servers ON listings (provider_id, external_id) WHERE listing_type = 'server';
CREATE INDEX listings_servers_changed ON listings (changed_at, provider_id, external_id) WHERE listing_type = 'server';
CREATE INDEX listings_first_seen ON listings (first_seen_at);
