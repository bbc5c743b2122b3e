import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { signInMessage } from './message.ts';
import { malformedAddress, type WalletVerifier } from './verifier.ts';

/** Solana accounts: an address is an Ed25519 public key in base58, a signature 64 bytes in base58. */

const CHAIN = { account: 'Solana', chain_id: 'mainnet' };
/** The first 32 digits of the genesis block's hash, CAIP-2's name of mainnet. */
const CAIP2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
/** The DER prefix of a raw 32-byte Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** Decoding takes quadratic time. */
const MAX_BASE58 = 100;

export const solanaVerifier = (): WalletVerifier => ({
  type: 'solana',
  canonicalAddress: (text) => {
    const key = bytesOf(text);
    if (key === null) throw malformedAddress('must be base58');
    if (key.length !== 32) throw malformedAddress('must be 32 bytes in base58');
    if (!isSigningKey(key))
      throw malformedAddress('is not on the Ed25519 curve and cannot sign (program-derived address)');
    return base58.encode(key);
  },
  caip10: (address) => `${CAIP2}:${address}`,
  message: (parts) => signInMessage(CHAIN, parts),
  verify: async (message, signature, address) => {
    const [key, bytes] = [bytesOf(address), bytesOf(signature)];
    return key !== null && bytes !== null && verifyEd25519(Buffer.from(message, 'utf8'), bytes, key);
  },
});

/** Strict: one encoding per key and signature, and no key or nonce point under which anyone can sign. */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (!isSigningKey(key) || !isSigningKey(signature.subarray(0, 32))) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, key]), format: 'der', type: 'spki' });
  return verifySignature(null, message, publicKey, signature);
}

/**
 * Requires a canonically encoded point of the curve that is not of small order. Some builds of OpenSSL accept others as
 * keys.
 */
function isSigningKey(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes, false).isSmallOrder();
  } catch {
    return false;
  }
}

function bytesOf(text: string): Uint8Array | null {
  if (text.length > MAX_BASE58) return null;
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}
