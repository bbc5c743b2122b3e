import type { User } from '../users/users.ts';

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
}

/** Begins a session and hands out its first token. */
export type StartSignIn = (it: NewSignIn) => Promise<SignedIn>;
