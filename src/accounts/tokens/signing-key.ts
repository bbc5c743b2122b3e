import type { JWK } from 'jose';
import { isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';
import { newId } from '#core/ids.ts';
import { jose } from './jose.ts';

/** One token key: its times, and its conversion to and from a row. */

export const ALGORITHM = 'ES256';
export const PURPOSE = 'token';

/** A key is public this long before it signs; longer than anyone caches the list. */
const PUBLISH_AHEAD_MS = 3_600_000;
/** Tokens are valid for 24 h; one more hour for clock differences. */
const RETIRE_AFTER_MS = 25 * 3_600_000;

/** Returns whether the next key must be created: there is none, or the newest is about to be replaced. */
export function isDue(rows: readonly SigningKeyRow[], now_ms: number, rotation_ms: number): boolean {
  const newest = rows.at(-1);
  return newest === undefined || Date.parse(newest.active_at) + rotation_ms - PUBLISH_AHEAD_MS <= now_ms;
}

/**
 * Creates the key after `rows`, and determines when those are retired. `ahead`: it signs once everyone has had time to
 * read it. `now`: it signs immediately, like the very first one, and the others are retired.
 */
export async function nextKey(
  keys: KeyProvider,
  rows: readonly SigningKeyRow[],
  now_ms: number,
  when: 'ahead' | 'now',
): Promise<{ key: SigningKeyRow; retire_at: string }> {
  const newest = rows.at(-1);
  const activeAtMs = now_ms + (newest === undefined || when === 'now' ? 0 : PUBLISH_AHEAD_MS);
  const id = newId();
  const { exportJWK, generateKeyPair } = await jose();
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: ALGORITHM };
  const key: SigningKeyRow = {
    id,
    purpose: PURPOSE,
    generation: (newest?.generation ?? 0) + 1,
    public_jwk: JSON.stringify(publicJwk),
    sealed_private_key: seal(keys, JSON.stringify(await exportJWK(privateKey)), signingKeyContext(id)),
    published_at: isoTime(now_ms),
    active_at: isoTime(activeAtMs),
    retired_at: null,
  };
  return { key, retire_at: isoTime(activeAtMs + (when === 'now' ? 0 : RETIRE_AFTER_MS)) };
}

export const signingKeyContext = (id: string): string => `signing_key|${id}`;

export const importPublic = ({ public_jwk }: SigningKeyRow): Promise<CryptoKey> => importKey(public_jwk);

export const openPrivate = async (keys: KeyProvider, { id, sealed_private_key }: SigningKeyRow): Promise<CryptoKey> =>
  importKey(unseal(keys, sealed_private_key, signingKeyContext(id)).toString());

const importKey = async (jwk: string): Promise<CryptoKey> =>
  (await (await jose()).importJWK(JSON.parse(jwk) as JWK, ALGORITHM)) as CryptoKey;
