/** The tables of 0016-capabilities.sql, column for column. */

export interface CapabilitiesSchema {
  capabilities: CapabilityRow;
  capability_keys: { id: string; kind: string; key: string };
  capability_judgements: CapabilityJudgementRow;
}

export interface CapabilityRow {
  id: string;
  provider_id: string;
  external_id: string;
  listing_type: string;
  stands_id: string;
  evidence: string;
  confidence: number;
  seq: number;
  created_at: string;
  updated_at: string;
}

export interface CapabilityJudgementRow {
  a_id: string;
  b_id: string;
  is_same: number;
  reason: string;
  actor: string;
  at: string;
}
