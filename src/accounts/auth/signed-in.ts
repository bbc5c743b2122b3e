import type { Kysely } from 'kysely';
import type { User } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Origin } from '#core/http/operation.ts';

/** What every way of signing in ends with. */
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
  /** CAIP-10 of the wallet that signed, else null. */
  wallet: string | null;
  user_agent: string;
  /** Of the request that asked for it. */
  origin?: Origin | undefined;
  /** Whether what was proved leads to this user still. Asked in the transaction that begins the session. */
  stillLeads(trx: Kysely<Schema>): Promise<boolean>;
}

/** Begins a session and hands out its first token. 409 `auth.account_changed`. */
export type StartSignIn = (newSignIn: NewSignIn) => Promise<SignedIn>;
