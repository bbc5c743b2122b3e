-- The networks that an account was made and has signed in from (24 bits of IPv4, 48 of IPv6): what tells accounts of one place
-- from those of several when runs are weighed.
CREATE TABLE account_networks (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  PRIMARY KEY (user_id, network)
);
