-- The network (24 bits of IPv4, 48 of IPv6) that an account was created from, until it has proven that it is not one of many
-- made by a program. Null for accounts that have, and for those from before.
ALTER TABLE users ADD COLUMN unproven_network TEXT;
