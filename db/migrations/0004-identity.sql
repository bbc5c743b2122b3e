CREATE TABLE users (
  id TEXT PRIMARY KEY,
  display_name TEXT NOT NULL,
  tier TEXT NOT NULL,
  is_operator INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

-- `address` in the one form of its type: EIP-55 for ethereum, base58 for solana.
CREATE TABLE wallets (
  wallet_type TEXT NOT NULL,
  address TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  linked_at TEXT NOT NULL,
  PRIMARY KEY (wallet_type, address)
);

CREATE INDEX wallets_user ON wallets (user_id);

-- One email account of a user. Unverified ones are not here but in email_tokens.
CREATE TABLE emails (
  email TEXT PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  password_hash TEXT NOT NULL,
  linked_at TEXT NOT NULL,
  password_changed_at TEXT NOT NULL
);

CREATE TABLE google_accounts (
  subject TEXT PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  linked_at TEXT NOT NULL
);

-- A wallet's challenge: the exact bytes to sign. Used up by one conditional UPDATE, whatever the outcome.
CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  wallet_type TEXT NOT NULL,
  address TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
);

CREATE INDEX challenges_expiry ON challenges (expires_at);

-- What a mailed link stands for; only the SHA-256 of its token is here.
CREATE TABLE email_tokens (
  token_hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  email TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  password_hash TEXT,
  display_name TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
);

CREATE INDEX email_tokens_email ON email_tokens (email);

CREATE INDEX email_tokens_expiry ON email_tokens (expires_at);

-- One Google sign-in under way, bound to the browser that began it by the SHA-256 of its cookie.
CREATE TABLE google_flows (
  state_hash TEXT PRIMARY KEY,
  cookie_hash TEXT NOT NULL,
  nonce TEXT NOT NULL,
  code_verifier TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  return_to TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
);

CREATE INDEX google_flows_expiry ON google_flows (expires_at);

-- One key a purpose and generation, whoever makes it first. Sealed by the service's secret key. Public from published_at, signing from active_at, gone after retired_at.
CREATE TABLE signing_keys (
  id TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  generation INTEGER NOT NULL,
  public_jwk TEXT NOT NULL,
  sealed_private_key TEXT NOT NULL,
  published_at TEXT NOT NULL,
  active_at TEXT NOT NULL,
  retired_at TEXT
);

CREATE UNIQUE INDEX signing_keys_generation ON signing_keys (purpose, generation);

CREATE TABLE sign_ins (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  wallet TEXT,
  user_agent TEXT NOT NULL,
  signed_in_at TEXT NOT NULL,
  refreshed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  current_jti TEXT NOT NULL,
  previous_jti TEXT,
  previous_until TEXT,
  revoked_at TEXT
);

CREATE INDEX sign_ins_user ON sign_ins (user_id);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT
);

CREATE INDEX api_keys_user ON api_keys (user_id);

-- LLM requests of a user on a UTC day.
CREATE TABLE quota_days (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (user_id, day)
);

-- Requests of one bucket (limit and address, or limit and account) in one window of time.
CREATE TABLE rate_windows (
  bucket TEXT NOT NULL,
  window_start TEXT NOT NULL,
  used INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (bucket, window_start)
);

CREATE INDEX rate_windows_expiry ON rate_windows (expires_at);

-- The first answer to each Idempotency-Key, sealed; `status` is null while it is in flight, held by one request.
CREATE TABLE idempotency_keys (
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  holder TEXT NOT NULL,
  status INTEGER,
  sealed_answer TEXT,
  created_at TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (owner, operation, key)
);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- What operators did, and looks at other people's data. Outlives the accounts it names.
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
);

CREATE INDEX audit_entries_target ON audit_entries (target, at);
