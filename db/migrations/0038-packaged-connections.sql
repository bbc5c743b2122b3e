-- Connections to servers that are started from packages. `package` is the launch of the listing with the exact version,
-- `package_hosts` the hosts that its owner granted, `package_seen` what ran last and the hosts that it was refused. All are JSON,
-- and NULL for a server at an address, whose `url` says where it is.
ALTER TABLE connections ADD COLUMN package TEXT;
ALTER TABLE connections ADD COLUMN package_hosts TEXT;
ALTER TABLE connections ADD COLUMN package_seen TEXT;
