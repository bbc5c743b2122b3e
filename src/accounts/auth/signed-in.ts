import type { Kysely } from 'kysely';
import type { User } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Origin } from '#core/http/operation.ts';

/** The result of every sign-in method. */
export interface SignedIn {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  expires_at: string;
  user: Pick<User, 'id' | 'display_name' | 'tier' | 'created_at'>;
}

export interface NewSignIn {
  user: User;
  method: 'wallet' | 'email' | 'google';
  /** CAIP-10 of the wallet that signed, or null. */
  wallet: string | null;
  user_agent: string;
  /** Origin of the request. */
  origin?: Origin | undefined;
  /**
   * Returns whether the proven identity still belongs to this user. Called in the transaction that starts the session.
   */
  stillLeads(trx: Kysely<Schema>): Promise<boolean>;
}

/** Starts a session and issues its first token. Throws a 409 `auth.identity_conflict` (`account_changed`). */
export type StartSignIn = (newSignIn: NewSignIn) => Promise<SignedIn>;
