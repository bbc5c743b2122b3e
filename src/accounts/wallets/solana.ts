import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { signInMessage } from './message.ts';
import { malformedAddress, type WalletVerifier } from './verifier.ts';

/** Solana accounts: an address is an Ed25519 public key in base58, a signature 64 bytes in base58. */

const CHAIN = { account: 'Solana', chain_id: 'mainnet' };
/** The first 32 digits of the genesis block's hash, by which CAIP-2 knows mainnet. */
const CAIP2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** Decoding takes the square of the length. */
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

/** Strict: one encoding of each key and signature, and no key or nonce point under which anybody can sign. */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (!isSigningKey(key) || !isSigningKey(signature.subarray(0, 32))) return false;
  const public_key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, key]), format: 'der', type: 'spki' });
  return verifySignature(null, message, public_key, signature);
}

/** A point of the curve, canonically encoded, not of small order. Some builds of OpenSSL take the others for keys. */
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
