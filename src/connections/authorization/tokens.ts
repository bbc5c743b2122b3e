import type { OAuthTokens, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import type { Connection } from '#connections/connections/connection.ts';
import { putSecrets, readSecrets } from '#connections/vault/secrets.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';

/** The result of an authorization in the vault: one secret of the connection, with everything that a call needs. */
export interface HeldTokens {
  /** The version of the grant's row. */
  version: number;
  access_token: string;
  refresh_token: string | null;
  /** The granted scopes. */
  scope: string;
  obtained_at_ms: number;
  /** Null if the server does not say. */
  expires_at_ms: number | null;
  /** Shortly before expiry, at a different time for each token. */
  refresh_at_ms: number | null;
  /** The client they were issued to. */
  client: StoredOAuthClientInformation;
}

/** No header and no variable can have this name. */
const FIELD = 'oauth tokens';

type Db = Kysely<Schema>;
type Of = Pick<Connection, 'id' | 'user_id'>;

const placeOf = ({ id, user_id }: Of) => ({ user_id, connection_id: id });

export async function readTokens(db: Db, keys: KeyProvider, connection: Of): Promise<HeldTokens | null> {
  const { values } = await readSecrets(db, keys, placeOf(connection));
  return values[FIELD] === undefined ? null : JSON.parse(values[FIELD]);
}

export const writeTokens = (db: Db, keys: KeyProvider, connection: Of, held: HeldTokens | null, now_ms: number) =>
  putSecrets(db, keys, placeOf(connection), { [FIELD]: held === null ? null : JSON.stringify(held) }, isoTime(now_ms));

/** Headers cannot be longer, and no server should fill the vault. */
const MOST_TOKEN_CHARS = 16 * 1024;

/** A bearer token that is not too long to store. */
export const isUsable = ({ token_type, access_token, refresh_token = '', scope = '' }: OAuthTokens): boolean =>
  token_type.toLowerCase() === 'bearer' &&
  /^[!-~]+$/.test(access_token) &&
  access_token.length + refresh_token.length + scope.length <= MOST_TOKEN_CHARS;

/** A tenth to a fifth of its lifetime before expiry, and a minute at most. */
const EARLY_SHARE = 0.2;
const MOST_EARLY_MS = 60_000;
const LONGEST_S = 10 * 365 * 86_400;

interface TokenGrant {
  tokens: OAuthTokens;
  client: StoredOAuthClientInformation;
  version: number;
  /** The requested scopes, which are granted unless the server says otherwise. */
  asked_scope: string;
  /** Time of the request: a token's lifetime starts no earlier. */
  asked_at_ms: number;
}

export function heldTokens({ tokens, client, version, asked_scope, asked_at_ms }: TokenGrant): HeldTokens {
  const { access_token, refresh_token = null, scope = asked_scope, expires_in } = tokens;
  const lives = expires_in !== undefined && expires_in > 0;
  const lifeMs = lives ? Math.min(expires_in, LONGEST_S) * 1_000 : null;
  const earlyMs = Math.min((lifeMs ?? 0) * EARLY_SHARE, MOST_EARLY_MS) * (0.5 + Math.random() / 2);
  return {
    version,
    access_token,
    refresh_token,
    scope,
    client,
    obtained_at_ms: asked_at_ms,
    expires_at_ms: lifeMs === null ? null : asked_at_ms + lifeMs,
    refresh_at_ms: lifeMs === null ? null : asked_at_ms + lifeMs - earlyMs,
  };
}
