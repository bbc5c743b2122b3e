import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { PackageTarget } from '#core/mcp/target.ts';
import type { Connection } from './connection.ts';

/** Interfaces between the parts of this wing, which are joined in open-connections.ts. */

/** What a request to a connection's server needs. */
export interface Carried {
  /** The URL with its variables filled in. May be secret: never show or log it. */
  url: string;
  headers: Record<string, string>;
  /** Set if the server is started from a package; nothing is sent to the URL then. */
  package: PackageTarget | null;
  /** Changes with any change of these; upstream sessions are keyed by connection and version. */
  version: string;
  /** The secrets in it and related ones, which are removed from everything the server returns. */
  secrets: readonly string[];
}

/** The vault: stored credentials, ready to send. */
export interface Vault {
  /** For every type except the token of `oauth`. Throws `connections.authorization_required` (`auth_required`) if something required is missing. */
  open(connection: Connection): Promise<Carried>;
}

/** A rejection by the upstream. */
export interface Challenge {
  status: 401 | 403;
  /** The header `WWW-Authenticate`; null without one. */
  www_authenticate: string | null;
  /** Version of the rejected token from `accessToken`; null if none was sent. */
  version: string | null;
}

/** OAuth authorization of connections. */
export interface OAuth {
  /** Returns a valid token, refreshed if due. Throws `connections.authorization_required` (`auth_required`) if there is none. */
  accessToken(connection: Connection): Promise<{ token: string; version: string; secrets: readonly string[] }>;
  /**
   * After a connection of type `oauth` was rejected: `again` if there is a new token and the call should be repeated
   * once; otherwise the connection now has the status `auth_required`, with the required scope.
   */
  refreshOrRequire(connection: Connection, challenge: Challenge): Promise<'again' | 'sign_in'>;
  /**
   * Call it first in the transaction that deletes these connections or their authorization: it inserts jobs that revoke
   * their tokens.
   */
  giveBack(trx: Kysely<Schema>, of: { user_id: string; ids: readonly string[] }): Promise<void>;
}

/** Both combined: what a call needs, whatever the type. */
export interface Credentials {
  open(connection: Connection): Promise<Carried & { token_version: string | null }>;
  refused(connection: Connection, challenge: Challenge): Promise<'again' | 'sign_in'>;
}

/** For servers that are started from a package first. */
export interface LookOptions {
  signal?: AbortSignal | undefined;
  on_step?: ((step: PackageStep) => void) | undefined;
}

/** Called after a change of credentials: contacts the server and stores the new status. */
export type Probe = (connection: Connection, options?: LookOptions) => Promise<Connection>;
