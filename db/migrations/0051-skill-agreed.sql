-- The digest of the version of the skill that may have the secrets and the hosts. NULL: none, as for grants of earlier releases.
ALTER TABLE skill_grants ADD COLUMN agreed TEXT;
