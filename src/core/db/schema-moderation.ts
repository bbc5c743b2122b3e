import type { Generated } from 'kysely';

/** The tables of 0018-moderation.sql and 0021-measured-listings.sql, column for column. */

type Defaulted<T, K extends keyof T> = Omit<T, K> & { [N in K]: Generated<T[N]> };

export interface ModerationSchema {
  capability_reports: Defaulted<CapabilityReportRow, 'is_about_listing'>;
  capability_measures: Defaulted<CapabilityMeasureRow, 'traits'>;
  capability_measure_keys: { key: string; measure_id: string; capability_id: string };
  capability_spared: { measure_id: string; capability_id: string; at: string };
  capability_appeals: CapabilityAppealRow;
  capability_history: Defaulted<CapabilityHistoryRow, 'listings' | 'evidence'>;
  finding_overrules: { capability_id: string; pin: string; entry_id: string; reason: string; at: string };
  capability_featured: CapabilityFeaturedRow;
  capability_claims: CapabilityClaimRow;
}

export interface CapabilityReportRow {
  id: string;
  capability_id: string;
  reporter_id: string | null;
  kind: string;
  text: string;
  status: string;
  outcome: string;
  entry_id: string | null;
  created_at: string;
  closed_at: string | null;
  is_about_listing: number;
}

export interface CapabilityMeasureRow {
  measure_id: string;
  capability_id: string;
  measure: string;
  kind: string;
  rule: string;
  reason: string;
  actor: string;
  at: string;
  traits: string;
}

export interface CapabilityAppealRow {
  id: string;
  measure_id: string;
  capability_id: string;
  user_id: string | null;
  text: string;
  status: string;
  outcome: string;
  created_at: string;
  decided_at: string | null;
}

export interface CapabilityHistoryRow {
  id: string;
  seq: number;
  capability_id: string;
  change: string;
  actor: string;
  kind: string;
  rule: string;
  reason: string;
  measure_id: string;
  publisher_id: string;
  at: string;
  listings: string;
  evidence: string;
}

export interface CapabilityFeaturedRow {
  capability_id: string;
  origin: string;
  reason: string;
  place: number;
  since: string;
  until: string | null;
}

export interface CapabilityClaimRow {
  id: string;
  capability_id: string;
  publisher_id: string;
  method: string;
  token: string;
  wallet: string;
  signature: string;
  provider_id: string;
  external_id: string;
  file_url: string;
  status: string;
  created_at: string;
  expires_at: string;
  verified_at: string | null;
  checked_at: string | null;
  failing_since: string | null;
  ended_at: string | null;
}
