-- A session may be a client's that its user let in: for one resource, with some scopes. Of its refresh token only hashes are here. All of one session share the family; the salt makes the next one from the one that is shown.
ALTER TABLE sign_ins ADD COLUMN client_id TEXT;

ALTER TABLE sign_ins ADD COLUMN client_name TEXT;

ALTER TABLE sign_ins ADD COLUMN resource TEXT;

ALTER TABLE sign_ins ADD COLUMN scope TEXT;

ALTER TABLE sign_ins ADD COLUMN refresh_family_hash TEXT;

ALTER TABLE sign_ins ADD COLUMN refresh_hash TEXT;

ALTER TABLE sign_ins ADD COLUMN refresh_previous_hash TEXT;

ALTER TABLE sign_ins ADD COLUMN refresh_salt TEXT;

CREATE UNIQUE INDEX sign_ins_refresh ON sign_ins (refresh_family_hash);

-- Clients that registered themselves (RFC 7591). One that nobody ever let in goes after a day.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT,
  expires_at TEXT NOT NULL
);

CREATE INDEX oauth_clients_expiry ON oauth_clients (expires_at);

-- What a user agreed to, until the client fetches it. Used up by one conditional UPDATE, whatever the outcome; the row stays for a while, so that a code shown twice ends the session that came of it.
CREATE TABLE authorization_codes (
  code_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  page_sign_in_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT,
  replayed_at TEXT,
  sign_in_id TEXT
);

CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at);
