-- What the probe of a package saw, as JSON: its package URL, isolation, size, start time and the hosts it asked for. Null for a
-- server at an address.
ALTER TABLE probe_targets ADD COLUMN package_facts TEXT;

-- The packages of a provider that were never probed, by how much they are used.
CREATE INDEX probe_targets_new ON probe_targets (host, wanted, id) WHERE last_probed_at IS NULL;
