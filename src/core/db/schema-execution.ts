/** The tables of 0005-execution.sql, 0043-owed-receipts.sql and 0047-task-shares.sql, column for column, with the columns of 0041-skill-grants.sql and 0053-server-questions.sql. */

export interface ExecutionSchema {
  tasks: TaskRow;
  task_events: TaskEventRow;
  task_shares: TaskShareRow;
  run_intents: RunIntentRow;
  receipts: ReceiptRow;
  owed_receipts: OwedReceiptRow;
  log_nodes: LogNodeRow;
  log_checkpoints: LogCheckpointRow;
}

export interface TaskRow {
  id: string;
  user_id: string;
  title: string;
  capability_kind: string;
  capability_ref: string;
  capability_version: string;
  capability_digest: string;
  execution_class: string;
  input: string;
  input_files: string;
  status: string;
  status_reason: string | null;
  output: string | null;
  output_files: string | null;
  error: string | null;
  attempt: number;
  trace_id: string | null;
  /** The run's own span. A caller may have named the trace, so it can contain spans that are not the task's. */
  span_id: string | null;
  trace_parent: string | null;
  receipt_id: string | null;
  receipt_key: string | null;
  quota_day: string | null;
  created_at: string;
  queued_at: string | null;
  dispatched_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  cancel_requested_at: string | null;
  /** JSON; see 0041-skill-grants.sql. */
  given: string | null;
  /** JSON; see 0053-server-questions.sql. */
  asking: string | null;
}

export interface TaskEventRow {
  task_id: string;
  seq: number;
  at: string;
  type: string;
  data: string;
}

export interface TaskShareRow {
  id: string;
  task_id: string;
  user_id: string;
  /** SHA-256 in hex. */
  token_hash: string;
  /** JSON. */
  shows: string;
  created_at: string;
  expires_at: string | null;
}

interface RunIntentRow {
  run_id: string;
  attempt: number;
  envelope: string;
  digest: string;
  created_at: string;
  /** The user who ran it; null if the account was deleted. */
  user_id: string | null;
}

export interface ReceiptRow {
  id: string;
  run_id: string;
  envelope: string;
  key_id: string;
  created_at: string;
  leaf_index: number | null;
  /** The user who ran it; null if the account was deleted. */
  user_id: string | null;
}

export interface OwedReceiptRow {
  /** Of the call, of its receipt, and of the receipt's run. */
  id: string;
  user_id: string | null;
  /** JSON: the statement as far as it was known before the call. */
  facts: string;
  /** JSON; null until the call has ended. */
  outcome: string | null;
  lease_until: string;
  created_at: string;
}

interface LogNodeRow {
  level: number;
  position: number;
  hash: string;
}

interface LogCheckpointRow {
  size: number;
  key_id: string;
  root: string;
  note: string;
  created_at: string;
}
