import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Connection } from './connection.ts';

/** What the parts of this feature ask of each other. Each is made by its own file and joined in open-sessions.ts. */

/** What a request to a connection's server is made with. */
export interface Carried {
  /** The address, its places filled in. May itself be a secret: never shown, never logged. */
  url: string;
  headers: Record<string, string>;
  /** Changes whenever any of it does; upstream sessions are kept by connection and version. */
  version: string;
  /** The secrets among it, and those that go with them: whatever the server says is shown without these. */
  secrets: readonly string[];
}

/** The vault: what was stored for a connection, ready to be sent. */
export interface Vault {
  /** For every type but the token of `oauth`. Throws `sessions.auth_required` where something required is missing. */
  open(connection: Connection): Promise<Carried>;
}

/** An upstream's refusal, as it came. */
export interface Challenge {
  status: 401 | 403;
  /** The header `WWW-Authenticate`; null where there was none. */
  www_authenticate: string | null;
  /** Of the token that was refused, as `accessToken` gave it; null where none was sent. */
  version: string | null;
}

/** Signing in to a connection's server. */
export interface OAuth {
  /** A token that stands, refreshed where it is due. Throws `sessions.auth_required` where there is none. */
  accessToken(connection: Connection): Promise<{ token: string; version: string; secrets: readonly string[] }>;
  /**
   * After a refusal of a connection of type `oauth`: `again` where another token is there now and the call is worth
   * repeating once; else the connection was set to `auth_required` (with the scope to be asked for) and stays so.
   */
  refreshOrRequire(connection: Connection, challenge: Challenge): Promise<'again' | 'sign_in'>;
  /**
   * For the transaction that ends these connections, or their sign-in, as its first step: their tokens go back to their
   * issuer by a job.
   */
  giveBack(trx: Kysely<Schema>, of: { user_id: string; ids: readonly string[] }): Promise<void>;
}

/** Both together: what a call is made with, whatever the type. */
export interface Credentials {
  open(connection: Connection): Promise<Carried & { token_version: string | null }>;
  refused(connection: Connection, challenge: Challenge): Promise<'again' | 'sign_in'>;
}

/** After a change of credentials: the connection is looked at anew, and its status written. */
export type Probe = (connection: Connection) => Promise<Connection>;
