import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isoTime } from '#core/clock/clock.ts';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';

/**
 * The proof of work of a new account, like Hashcash: a nonce for which the SHA-256 of `<challenge>:<nonce>` begins with
 * enough zero bits. The challenge names its account and is signed by the service, so nothing is stored before the
 * answer. Once the account is proven, a second answer changes nothing.
 */

const LIFE_MS = 600_000;
const PURPOSE = 'proof of work';

interface WorkChallenge {
  challenge: string;
  algorithm: 'sha-256';
  /** Leading zero bits. */
  difficulty_bits: number;
  expires_at: string;
}

export function newWork(keys: KeyProvider, user_id: string, bits: number, now_ms: number): WorkChallenge {
  const expiresMs = now_ms + LIFE_MS;
  const written = [keys.current_id, user_id, bits, expiresMs, randomBytes(12).toString('hex')].join('.');
  return {
    challenge: `${written}.${macOf(keys, keys.current_id, written)}`,
    algorithm: 'sha-256',
    difficulty_bits: bits,
    expires_at: isoTime(expiresMs),
  };
}

export type WorkVerdict = 'good' | 'not_ours' | 'expired' | 'too_little';

interface WorkAnswer {
  challenge: string;
  nonce: string;
}

export function checkWork(
  keys: KeyProvider,
  user_id: string,
  { challenge, nonce }: WorkAnswer,
  now_ms: number,
): WorkVerdict {
  const [keyId = '', user = '', bits = '', expiresMs = '', random = '', mac = '', ...more] = challenge.split('.');
  if (more.length > 0 || keys.key(keyId) === undefined) return 'not_ours';
  const expected = Buffer.from(macOf(keys, keyId, [keyId, user, bits, expiresMs, random].join('.')));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected) || user !== user_id) return 'not_ours';
  if (Number(expiresMs) <= now_ms) return 'expired';
  return leadingZeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest()) >= Number(bits)
    ? 'good'
    : 'too_little';
}

export function leadingZeroBits(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.length * 8 : first * 8 + Math.clz32(bytes[first] as number) - 24;
}

const macOf = (keys: KeyProvider, id: string, written: string): string =>
  createHmac('sha256', deriveKey(keys, PURPOSE, id))
    .update(written)
    .digest('base64url');
