/** The tables of 0013-publishing.sql, column for column, with what 0037-rechecked-versions.sql and 0061-trusted-publishers.sql add. */

export interface PublishingSchema {
  publishers: PublisherRow;
  published_listings: PublishedListingRow;
  published_versions: PublishedVersionRow;
  published_contents: { sha256: string; content: string };
  published_files: { listing_id: string; version: string; sha256: string };
  published_changes: PublishedChangeRow;
  trusted_publishers: TrustedPublisherRow;
  publish_tokens: PublishTokenRow;
  used_identity_tokens: { token_hash: string; expires_at: string };
}

export interface PublisherRow {
  id: string;
  user_id: string | null;
  name: string;
  look: string;
  created_at: string;
  closed_at: string | null;
}

export interface PublishedListingRow {
  id: string;
  publisher_id: string;
  name: string;
  look: string;
  listing_type: string;
  status: string;
  status_reason: string;
  seq: number;
  created_at: string;
  updated_at: string;
  /** JSON describing the takedown; null if it was not taken down. */
  taken_down: string | null;
}

export interface PublishedVersionRow {
  listing_id: string;
  version: string;
  digest: string;
  description: string;
  license: string;
  execution_class: string;
  tags: string;
  findings: string;
  claim: string | null;
  files: string;
  bytes: number;
  status: string;
  status_reason: string;
  status_at: string;
  created_at: string;
  /** The version of the check rules that produced `findings`. */
  checked_with: number;
  /** When a later check changed `findings`; null if they are from publication. */
  findings_at: string | null;
  /** JSON of the CI workflow that published it; null for all others. */
  published_by: string | null;
}

export interface TrustedPublisherRow {
  id: string;
  listing_id: string;
  /** Its name in the settings. */
  issuer: string;
  repository: string;
  workflow: string;
  /** "": any, or none. */
  environment: string;
  /** Of the repository's owner at the issuer, from the first use on. */
  owner_id: string | null;
  created_at: string;
  last_used_at: string | null;
}

export interface PublishTokenRow {
  token_hash: string;
  trusted_publisher_id: string;
  /** JSON of the CI workflow. */
  published_by: string;
  created_at: string;
  expires_at: string;
}

export interface PublishedChangeRow {
  listing_id: string;
  seq: number;
  version: string;
  change: string;
  actor: string;
  reason: string;
  at: string;
}
