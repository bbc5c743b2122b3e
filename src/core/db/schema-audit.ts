/** The tables of 0022-audit-log.sql, 0023-audit-of-former-version.sql, 0031-audit-tallies.sql and 0062-audit-reasons.sql, column for column. */

export interface AuditSchema {
  audit_log: AuditRow;
  audit_anchors: AuditAnchorRow;
  audit_entries: FormerAuditRow;
  audit_tallies: AuditTallyRow;
  audit_reasons: { seq: number; reason: string };
}

export interface AuditRow {
  /** Sequence number from 1, without gaps, in commit order. */
  seq: number;
  at: string;
  actor: string;
  action: string;
  target: string;
  detail: string;
  outcome: string;
  request_id: string | null;
  address: string | null;
  hash: string;
}

interface AuditAnchorRow {
  seq: number;
  hash: string;
  removed_on: string;
}

/** A row of a version without the hash chain. */
interface FormerAuditRow {
  id: string;
  at: string;
  actor: string;
  action: string;
  target: string;
  detail: string;
}

interface AuditTallyRow {
  actor: string;
  action: string;
  outcome: string;
  address: string;
  target: string;
  hour: string;
  times: number;
  first_at: string;
  last_at: string;
}
