-- Which version of the checks' rules gave `findings`; 0 for what was checked before they had one. `findings_at` is when a
-- later check changed them; NULL while they are those of the publication.
ALTER TABLE published_versions ADD COLUMN checked_with INTEGER NOT NULL DEFAULT 0;
ALTER TABLE published_versions ADD COLUMN findings_at TEXT;

CREATE INDEX published_versions_checked ON published_versions (checked_with) WHERE status <> 'unpublished';
