import type { OAuthTokens, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Kysely } from 'kysely';
import type { Connection } from '#connections/connections/connection.ts';
import { putSecrets, readSecrets } from '#connections/vault/secrets.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';

/** What a sign-in gave, as the vault keeps it: one secret of the connection, with all that a call needs to know. */
export interface HeldTokens {
  /** That of the grant's row. */
  version: number;
  access_token: string;
  refresh_token: string | null;
  /** Granted. */
  scope: string;
  obtained_at_ms: number;
  /** Null where the server does not say. */
  expires_at_ms: number | null;
  /** A little before the end, another moment for each token. */
  refresh_at_ms: number | null;
  /** The client they were given to. */
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

/** Headers have no room for more, and no server is to fill the vault. */
const MOST_TOKEN_CHARS = 16 * 1024;

/** Of a kind that whoever holds it may use, and not too long to be kept. */
export const isUsable = ({ token_type, access_token, refresh_token = '', scope = '' }: OAuthTokens): boolean =>
  token_type.toLowerCase() === 'bearer' &&
  /^[!-~]+$/.test(access_token) &&
  access_token.length + refresh_token.length + scope.length <= MOST_TOKEN_CHARS;

/** A tenth to a fifth of its life before the end, and a minute at most. */
const EARLY_SHARE = 0.2;
const MOST_EARLY_MS = 60_000;
const LONGEST_S = 10 * 365 * 86_400;

export interface Given {
  tokens: OAuthTokens;
  client: StoredOAuthClientInformation;
  version: number;
  /** What was asked for: it is granted where the server says nothing else. */
  asked_scope: string;
  /** When it was asked: a token's life begins no earlier. */
  asked_at_ms: number;
}

export function heldTokens({ tokens, client, version, asked_scope, asked_at_ms }: Given): HeldTokens {
  const { access_token, refresh_token = null, scope = asked_scope, expires_in } = tokens;
  const lives = expires_in !== undefined && expires_in > 0;
  const life_ms = lives ? Math.min(expires_in, LONGEST_S) * 1_000 : null;
  const early_ms = Math.min((life_ms ?? 0) * EARLY_SHARE, MOST_EARLY_MS) * (0.5 + Math.random() / 2);
  return {
    version,
    access_token,
    refresh_token,
    scope,
    client,
    obtained_at_ms: asked_at_ms,
    expires_at_ms: life_ms === null ? null : asked_at_ms + life_ms,
    refresh_at_ms: life_ms === null ? null : asked_at_ms + life_ms - early_ms,
  };
}
