export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The sender of a request, as currently stored in the database. */
export interface Caller {
  user_id: string;
  tier: string;
  /** The scopes of the credential that the user's tier still grants. */
  scopes: readonly Scope[];
  is_operator: boolean;
  /** The network that an unproven account was created from; null for all others. */
  unproven_network: string | null;
  /** The session of the token; null for an API key. */
  sign_in_id: string | null;
  api_key_id: string | null;
  /** When the user last authenticated, in ms; null for an API key. */
  signed_in_at_ms: number | null;
}
