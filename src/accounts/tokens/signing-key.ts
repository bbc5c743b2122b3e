import type { JWK } from 'jose';
import { isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';
import { newId } from '#core/ids.ts';
import { jose } from './jose.ts';

/** One key of tokens: its times, and how it gets into a row and out again. */

export const ALGORITHM = 'ES256';
export const PURPOSE = 'token';

/** A key is public this long before it signs; longer than anyone keeps the old list. */
const PUBLISH_AHEAD_MS = 3_600_000;
/** Tokens live 24 h; an hour more for clocks that differ. */
const RETIRE_AFTER_MS = 25 * 3_600_000;

/** Whether the next key has to be there: none is, or the newest one's time to be replaced comes near. */
export const isDue = (rows: readonly SigningKeyRow[], now_ms: number, rotation_ms: number): boolean => {
  const newest = rows.at(-1);
  return newest === undefined || Date.parse(newest.active_at) + rotation_ms - PUBLISH_AHEAD_MS <= now_ms;
};

/**
 * The key that follows `rows`, and when those are gone. `ahead`: it signs when everyone has had time to read it. `now`:
 * it signs at once, as the very first one does, and the others are gone.
 */
export async function nextKey(
  keys: KeyProvider,
  rows: readonly SigningKeyRow[],
  now_ms: number,
  when: 'ahead' | 'now',
): Promise<{ key: SigningKeyRow; retire_at: string }> {
  const newest = rows.at(-1);
  const active_at_ms = now_ms + (newest === undefined || when === 'now' ? 0 : PUBLISH_AHEAD_MS);
  const id = newId();
  const { exportJWK, generateKeyPair } = await jose();
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const public_jwk = { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: ALGORITHM };
  const key: SigningKeyRow = {
    id,
    purpose: PURPOSE,
    generation: (newest?.generation ?? 0) + 1,
    public_jwk: JSON.stringify(public_jwk),
    sealed_private_key: seal(keys, JSON.stringify(await exportJWK(privateKey)), signingKeyContext(id)),
    published_at: isoTime(now_ms),
    active_at: isoTime(active_at_ms),
    retired_at: null,
  };
  return { key, retire_at: isoTime(active_at_ms + (when === 'now' ? 0 : RETIRE_AFTER_MS)) };
}

export const signingKeyContext = (id: string): string => `signing_key|${id}`;

export const importPublic = ({ public_jwk }: SigningKeyRow): Promise<CryptoKey> => importKey(public_jwk);

export const openPrivate = async (keys: KeyProvider, { id, sealed_private_key }: SigningKeyRow): Promise<CryptoKey> =>
  importKey(unseal(keys, sealed_private_key, signingKeyContext(id)).toString());

const importKey = async (jwk: string): Promise<CryptoKey> =>
  (await (await jose()).importJWK(JSON.parse(jwk) as JWK, ALGORITHM)) as CryptoKey;
