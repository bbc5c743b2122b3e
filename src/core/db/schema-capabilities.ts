import type { Generated } from 'kysely';

/** The tables of 0016-capabilities.sql, column for column. */

export interface CapabilitiesSchema {
  capabilities: Omit<CapabilityRow, 'traits'> & { traits: Generated<string> };
  capability_keys: { key: string; id: string; shelf: string };
  capability_links: CapabilityLinkRow;
  capability_judgements: CapabilityJudgementRow;
}

export interface CapabilityRow {
  id: string;
  provider_id: string;
  external_id: string;
  listing_type: string;
  is_live: number;
  stands_id: string;
  traits: string;
  evidence: string;
  confidence: number;
  seq: number;
  created_at: string;
  updated_at: string;
}

export interface CapabilityLinkRow {
  a_id: string;
  b_id: string;
  confidence: number;
  evidence: string;
}

export interface CapabilityJudgementRow {
  id: string;
  a_id: string;
  b_id: string;
  is_same: number;
  reason: string;
  actor: string;
  at: string;
}
