/** The tables of 0017-proof.sql, column for column. */

export interface ProofSchema {
  proof_runs: ProofRunRow;
  capability_proofs: CapabilityProofRow;
  capability_scores: CapabilityScoreRow;
  proof_checks: ProofCheckRow;
}

export interface ProofRunRow {
  leaf_index: number;
  receipt_id: string;
  subject: string;
  version: string;
  pin: string;
  caller: string;
  user_id: string | null;
  outcome: string;
  input_mac: string;
  output_mac: string;
  at: string;
}

export interface CapabilityProofRow {
  subject: string;
  pin: string;
  version: string;
  level: string;
  reached_at: string;
  expires_at: string;
  levels: string;
  runs: number;
  completed: number;
  callers: number;
  last_run_at: string;
  last_receipt_id: string;
}

export interface CapabilityScoreRow {
  id: string;
  level: string;
  level_subject: string;
  reached_at: string | null;
  expires_at: string | null;
  hot_score: number;
  runs: number;
  success_rate: number;
  callers: number;
  trend: string;
  log_size: number;
  computed_at: string;
}

interface ProofCheckRow {
  subject: string;
  result: string;
  detail: string;
  checked_at: string;
  due_at: string;
}
