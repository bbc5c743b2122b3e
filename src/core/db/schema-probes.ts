import type { Generated } from 'kysely';

/** The tables of 0008-probes.sql, 0030-verdicts.sql, 0036-lapsed-tools.sql and 0039-package-probes.sql, column for column. */

export interface ProbesSchema {
  probe_targets: Omit<ProbeTargetRow, 'tools_checked_at' | 'tool_findings' | 'tools_lapsed_at' | 'package_facts'> & {
    tools_checked_at: Generated<string | null>;
    tool_findings: Generated<string | null>;
    tools_lapsed_at: Generated<string | null>;
    package_facts: Generated<string | null>;
  };
  probe_listings: ProbeListingRow;
  probe_tools: Omit<ProbeToolRow, 'annotations'> & { annotations: Generated<string | null> };
  /** These two are of 0052-tool-history.sql. */
  listing_tool_sets: ListingToolSetRow;
  listing_tool_changes: ListingToolChangeRow;
  probe_hosts: ProbeHostRow;
  /** Of 0040-coverage.sql. */
  coverage: { provider_id: string; counted_at: string; counted_for: string; figures: string };
}

export interface ProbeTargetRow {
  id: string;
  host: string;
  target: string;
  wanted: number;
  reason: string | null;
  detail: string;
  protocol_version: string | null;
  server: string | null;
  tools_hash: string | null;
  tool_count: number | null;
  failures: number;
  due_at: string;
  last_probed_at: string | null;
  last_seen_at: string | null;
  tools_checked_at: string | null;
  tool_findings: string | null;
  tools_lapsed_at: string | null;
  package_facts: string | null;
}

interface ProbeListingRow {
  provider_id: string;
  external_id: string;
  target_id: string;
}

export interface ProbeToolRow {
  target_id: string;
  position: number;
  name: string;
  title: string;
  description: string;
  input_schema: string | null;
  folded: string;
  /** JSON of hints; null if stored by a former release. */
  annotations: string | null;
}

interface ListingToolSetRow {
  provider_id: string;
  external_id: string;
  version: string;
  tools_hash: string;
  /** JSON of `ToolPrint[]`. */
  prints: string;
}

interface ListingToolChangeRow {
  provider_id: string;
  external_id: string;
  changed_at: string;
  from_version: string;
  version: string;
  /** JSON of `Changes`. */
  changes: string;
}

export interface ProbeHostRow {
  host: string;
  failures: number;
  next_visit_at: string;
  wait_until: string | null;
  robots: string | null;
  robots_read_at: string | null;
}
