import type { A2aSchema } from './schema-a2a.ts';
import type { AgentsSchema } from './schema-agents.ts';
import type { AuditSchema } from './schema-audit.ts';
import type { AuthorizationSchema } from './schema-authorization.ts';
import type { CapabilitiesSchema } from './schema-capabilities.ts';
import type { CollectionsSchema } from './schema-collections.ts';
import type { SessionsSchema } from './schema-connections.ts';
import type { ExecutionSchema } from './schema-execution.ts';
import type { GrantsSchema } from './schema-grants.ts';
import type { HarnessesSchema } from './schema-harnesses.ts';
import type { IdentitySchema } from './schema-identity.ts';
import type { McpSchema } from './schema-mcp.ts';
import type { ModerationSchema } from './schema-moderation.ts';
import type { ProbesSchema } from './schema-probes.ts';
import type { ProofSchema } from './schema-proof.ts';
import type { PublishingSchema } from './schema-publishing.ts';
import type { RigsSchema } from './schema-rigs.ts';
import type { SearchSchema } from './schema-search.ts';
import type { SearchFeedbackSchema } from './schema-search-feedback.ts';
import type { StorageSchema } from './schema-storage.ts';
import type { TrialsSchema } from './schema-trials.ts';

/** The tables of db/migrations, column for column. Times are ISO 8601 UTC text, JSON is text, flags are 0 or 1. */

export interface Schema
  extends A2aSchema,
    AgentsSchema,
    AuditSchema,
    AuthorizationSchema,
    CapabilitiesSchema,
    CollectionsSchema,
    IdentitySchema,
    McpSchema,
    ModerationSchema,
    ExecutionSchema,
    SessionsSchema,
    ProbesSchema,
    ProofSchema,
    PublishingSchema,
    GrantsSchema,
    HarnessesSchema,
    RigsSchema,
    SearchSchema,
    SearchFeedbackSchema,
    StorageSchema,
    TrialsSchema {
  schema_migrations: { version: number; name: string; applied_at: string; digest: string | null };
  change_counters: { name: string; value: number };
  jobs: JobRow;
  job_shares: JobShareRow;
  listings: ListingRow;
  listing_details: ListingDetailRow;
  listing_readmes: ListingReadmeRow;
  listing_documents: ListingDocumentRow;
  listing_aliases: { provider_id: string; alias: string; external_id: string };
  rejected_records: RejectedRow;
  sync_states: SyncStateRow;
  spans: SpanRow;
  sealed_traces: SealedTraceRow;
}

export interface JobRow {
  id: string;
  kind: string;
  key: string;
  payload: string;
  run_at: string;
  attempt: number;
  failures: number;
  leased_by: string | null;
  lease_until: string | null;
  last_error: string | null;
  created_at: string;
  /** The share that the job counts against; null for the service's own work. */
  share: string | null;
}

interface JobShareRow {
  kind: string;
  share: string;
  /** Start of the share's last job. */
  started_at: string;
  expires_at: string;
}

export interface ListingRow {
  provider_id: string;
  external_id: string;
  name: string;
  description: string;
  version: string;
  author: string;
  homepage: string;
  downloads: number;
  stars: number;
  tags: string;
  listing_type: string;
  execution_class: string;
  external_updated_at: string | null;
  license: string;
  repository: string;
  install: string | null;
  manifest: string | null;
  reported: string;
  /** JSON of what the provider reports about it (catalog/items/verdicts.ts); null if nothing. */
  verdicts: string | null;
  /** JSON of what the provider reports beyond these columns (catalog/items/facts.ts); null if nothing. */
  facts: string | null;
  /** Bits of the kinds of facts that are counted. */
  facts_held: number;
  digest: string;
  seq: number;
  /** Strictly later than that of every change committed before. */
  changed_at: string;
  first_seen_at: string;
  last_seen_at: string;
  seen_run: string;
  missed_runs: number;
  removed_at: string | null;
  /**
   * JSON describing the takedown here (catalog/items/taken-down.ts), in which case `removed_at` is its time; otherwise
   * null.
   */
  taken_down: string | null;
}

/** A row of 0044-listing-facts.sql. */
export interface ListingReadmeRow {
  provider_id: string;
  external_id: string;
  digest: string;
  text: string;
}

/** A row of 0034-listing-details.sql. */
export interface ListingDetailRow {
  provider_id: string;
  external_id: string;
  /** JSON as in `listings`; null if the detail does not contain it. */
  install: string | null;
  /** Null if its files were never fetched. */
  execution_class: string | null;
  digest: string | null;
  validators: string;
  /** Consecutive failures. */
  failures: number;
  fetched_at: string | null;
  /** Null if it was never requested. */
  due_at: string | null;
  /** JSON as in `listings`, of what the detail adds. */
  facts: string | null;
  license: string | null;
  /** JSON of the files of a skill; null if they are unknown. */
  files: string | null;
  /** How many files it has; `files` may have fewer. */
  file_count: number | null;
  /** Of the list's record that the detail belongs to. */
  record_key: string | null;
  /** Why the last request failed; '' if it did not. */
  error: string;
}

/** A row of 0045-listing-documents.sql. */
export interface ListingDocumentRow {
  provider_id: string;
  external_id: string;
  kind: string;
  url: string;
  /** sha256 in hexadecimal; the text is the file with this name. */
  digest: string;
  /** As stored. */
  bytes: number;
  /** 1 if the source is longer than what is stored. */
  shortened: number;
  validators: string;
  fetched_at: string;
}

export interface RejectedRow {
  provider_id: string;
  record_key: string;
  external_id: string | null;
  reason: string;
  raw: string;
  run_id: string;
  rejected_at: string;
}

export interface SyncStateRow {
  provider_id: string;
  status: string;
  mode: string;
  run_id: string;
  started_at: string | null;
  finished_at: string | null;
  cursor: string | null;
  watermark: string | null;
  max_watermark: string | null;
  validators: string;
  seen: number;
  total: number | null;
  added: number;
  updated: number;
  removed: number;
  rejected: number;
  error: string | null;
  failures: number;
  last_full_seen: number | null;
  last_full_at: string | null;
  last_success_at: string | null;
  next_run_at: string | null;
}

export interface SpanRow {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: string;
  started_at: string;
  duration_ms: number;
  status: string;
  attributes: string;
  events: string;
  link_trace_id: string | null;
  link_span_id: string | null;
  user_id: string | null;
}

interface SealedTraceRow {
  trace_id: string;
  user_id: string | null;
  sealed_at: string;
}
