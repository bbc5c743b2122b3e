/** The tables of 0007-authorization.sql, column for column. */

export interface AuthorizationSchema {
  oauth_clients: OAuthClientRow;
  authorization_codes: AuthorizationCodeRow;
}

interface OAuthClientRow {
  id: string;
  name: string;
  redirect_uris: string;
  created_at: string;
  used_at: string | null;
  expires_at: string;
}

export interface AuthorizationCodeRow {
  code_hash: string;
  user_id: string;
  page_sign_in_id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  code_challenge: string;
  resource: string;
  scope: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
  replayed_at: string | null;
  sign_in_id: string | null;
}
