import type { Generated } from 'kysely';

/** The tables of 0004-identity.sql, 0025-account-networks.sql and 0063-suspended-users.sql, column for column. */

export interface IdentitySchema {
  users: Omit<UserRow, 'suspended_at' | 'suspended_reason'> & {
    suspended_at: Generated<UserRow['suspended_at']>;
    suspended_reason: Generated<string>;
  };
  wallets: WalletRow;
  emails: EmailRow;
  google_accounts: GoogleAccountRow;
  challenges: ChallengeRow;
  devices: DeviceRow;
  device_keys: DeviceKeyRow;
  email_tokens: EmailTokenRow;
  google_flows: GoogleFlowRow;
  signing_keys: SigningKeyRow;
  sign_ins: SignInRow;
  account_networks: AccountNetworkRow;
  api_keys: ApiKeyRow;
  quota_days: QuotaDayRow;
  rate_windows: RateWindowRow;
  idempotency_keys: IdempotencyKeyRow;
}

export interface UserRow {
  id: string;
  display_name: string;
  tier: string;
  is_operator: number;
  /** The network that the account was created from, until the account is proven. */
  unproven_network: string | null;
  created_at: string;
  updated_at: string;
  /** When the stored bytes of the account were last counted (core/storage). */
  storage_measured_at: string | null;
  /** Since when an operator has suspended the account; null if it is not. */
  suspended_at: string | null;
  /** As the owner reads it; empty if the account is not suspended. */
  suspended_reason: string;
}

export interface WalletRow {
  wallet_type: string;
  address: string;
  user_id: string;
  linked_at: string;
}

export interface EmailRow {
  email: string;
  user_id: string;
  password_hash: string;
  linked_at: string;
  password_changed_at: string;
}

export interface GoogleAccountRow {
  subject: string;
  user_id: string;
  email: string;
  linked_at: string;
}

export interface ChallengeRow {
  id: string;
  /** The user whose request it confirms; null for signing in. */
  user_id: string | null;
  /** Null if it may confirm any of the requests that need no purpose. */
  operation: string | null;
  /** The path of that request. */
  target: string | null;
  /** What it covers of that request's body (core/http/signed-fields.ts). */
  fields: string | null;
  /** The session that a confirmation for some minutes is limited to. */
  sign_in_id: string | null;
  wallet_type: string;
  address: string;
  message: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

export interface EmailTokenRow {
  token_hash: string;
  purpose: string;
  email: string;
  user_id: string | null;
  password_hash: string | null;
  display_name: string | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

export interface DeviceRow {
  id: string;
  user_id: string;
  token_hash: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

export interface DeviceKeyRow {
  id: string;
  user_id: string;
  /** The public key in base58. */
  address: string;
  name: string;
  created_at: string;
  /** From when on a waiting key can be finished without another one; null if it never can. */
  usable_from: string | null;
  /** Null while it waits. */
  active_at: string | null;
  last_used_at: string | null;
}

export interface GoogleFlowRow {
  state_hash: string;
  cookie_hash: string;
  nonce: string;
  code_verifier: string;
  user_id: string | null;
  return_to: string | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

export interface SigningKeyRow {
  id: string;
  purpose: string;
  generation: number;
  public_jwk: string;
  sealed_private_key: string;
  published_at: string;
  active_at: string;
  retired_at: string | null;
}

export interface SignInRow {
  id: string;
  user_id: string;
  method: string;
  wallet: string | null;
  user_agent: string;
  signed_in_at: string;
  refreshed_at: string;
  expires_at: string;
  current_jti: string;
  previous_jti: string | null;
  previous_until: string | null;
  revoked_at: string | null;
  /** Set only for sessions of OAuth clients. */
  client_id: string | null;
  client_name: string | null;
  resource: string | null;
  scope: string | null;
  refresh_family_hash: string | null;
  refresh_hash: string | null;
  refresh_previous_hash: string | null;
  refresh_salt: string | null;
}

interface AccountNetworkRow {
  user_id: string;
  network: string;
  first_seen_at: string;
  last_seen_at: string;
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  name: string;
  key_hash: string;
  hint: string;
  scopes: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

interface QuotaDayRow {
  user_id: string;
  day: string;
  used: number;
}

interface RateWindowRow {
  bucket: string;
  window_start: string;
  used: number;
  expires_at: string;
}

export interface IdempotencyKeyRow {
  owner: string;
  operation: string;
  key: string;
  request_hash: string;
  holder: string;
  status: number | null;
  sealed_answer: string | null;
  created_at: string;
  lease_until: string;
  expires_at: string;
}
