/** The tables of 0022-audit-log.sql, column for column. */

export interface AuditSchema {
  audit_log: AuditRow;
  audit_anchors: AuditAnchorRow;
}

export interface AuditRow {
  /** From 1, without gaps, in the order in which they were committed. */
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

export interface AuditAnchorRow {
  seq: number;
  hash: string;
  removed_on: string;
}
