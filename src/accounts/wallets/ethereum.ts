import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { ContractCheck } from './ethereum-contract.ts';
import { signInMessage } from './message.ts';
import { malformedAddress, type WalletVerifier } from './verifier.ts';

/** Ethereum accounts: EIP-55 addresses, EIP-191 signatures, and contract wallets if a node is configured. */

/** The chain of contract wallets; plain accounts are the same on all chains. */
export const MAINNET = 1;
const CHAIN = { account: 'Ethereum', chain_id: `${MAINNET}` };
const PLAIN_SIGNATURE_BYTES = 65;

/** `askContract` is null if no node is configured. */
export const ethereumVerifier = (askContract: ContractCheck | null): WalletVerifier => ({
  type: 'ethereum',
  canonicalAddress,
  caip10: (address) => `eip155:${CHAIN.chain_id}:${address}`,
  message: (parts) => signInMessage(CHAIN, parts),
  verify: async (message, signature, address) => {
    const bytes = bytesOf(signature);
    if (bytes === null) return false;
    const hash = messageHash(message);
    if (bytes.length === PLAIN_SIGNATURE_BYTES) {
      const signer = recoverSigner(hash, bytes);
      // The malleable form of the key's own signature, which a contract must not accept either.
      if (signer?.address === address) return signer.is_low_s;
      if (askContract === null) return false;
    }
    if (askContract === null) throw rpcRequired();
    return askContract({ address, hash, signature: bytes });
  },
});

const rpcRequired = (): Problem =>
  accountsProblem(
    'auth.rpc_required',
    'Invalid signature length: expected the 65-byte signature of an externally owned account. Contract ' +
      'wallets require CAPSTAN_ETHEREUM_RPC_URL to be set on the service.',
  );

function canonicalAddress(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw malformedAddress('must be 0x followed by 40 hexadecimal digits');
  const digits = text.slice(2);
  // Recovery returns this address for invalid signatures, so contracts would accept any signature for it.
  if (/^0+$/.test(digits)) throw malformedAddress('is the zero address');
  const address = checksummed(digits.toLowerCase());
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && address !== text) throw malformedAddress('has an invalid EIP-55 checksum; check for a typo');
  return address;
}

/** EIP-55: a letter becomes upper-case if the hash of the address has a digit of 8 or more at its position. */
function checksummed(lower: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(lower, 'ascii'))).toString('hex');
  const digits = [...lower].map((digit, at) => ((hash[at] as string) >= '8' ? digit.toUpperCase() : digit));
  return `0x${digits.join('')}`;
}

/** EIP-191, version `E`. */
export function messageHash(message: string): Uint8Array {
  const bytes = Buffer.from(message, 'utf8');
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

/** Recovers the signer of (r, s, v) over this hash; null if invalid. */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array): { address: string; is_low_s: boolean } | null {
  const recovery = [0, 1, 27, 28].indexOf(signature[64] as number) & 1;
  if (![0, 1, 27, 28].includes(signature[64] as number)) return null;
  try {
    const withRecovery = Uint8Array.of(recovery, ...signature.subarray(0, 64));
    const parsed = secp256k1.Signature.fromBytes(withRecovery, 'recovered');
    const key = parsed.recoverPublicKey(hash).toBytes(false);
    const account = Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex');
    return { address: checksummed(account), is_low_s: !parsed.hasHighS() };
  } catch {
    return null;
  }
}

const bytesOf = (hex: string): Uint8Array | null =>
  /^0x([0-9a-fA-F]{2})+$/.test(hex) ? Buffer.from(hex.slice(2), 'hex') : null;
