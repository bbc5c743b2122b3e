export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whoever sent the request, as the database has them now. */
export interface Caller {
  user_id: string;
  tier: string;
  /** What the credential allows and the tier still gives. */
  scopes: readonly Scope[];
  is_operator: boolean;
  /** The network that a new account was created from, until it has proven something; null for all others. */
  unproven_network: string | null;
  /** The sign-in that a token belongs to; null for an API key. */
  sign_in_id: string | null;
  api_key_id: string | null;
  /** When the user last proved who they are, in ms; null for an API key. */
  signed_in_at_ms: number | null;
}
