import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Ethereum accounts by key: an EIP-55 address, and EIP-191 signatures with a low `s`. The names are those of viem/accounts, which
 * the README of the SDK uses, so its examples run on this file.
 */
interface EthereumAccount {
  address: string;
  /** 0x and 65 bytes: r, s, and v of 27 or 28. */
  signMessage(input: { message: string }): Promise<string>;
}

export const generatePrivateKey = (): string => `0x${Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex')}`;

/** `key`: 0x and 64 hexadecimal digits. */
export function privateKeyToAccount(key: string): EthereumAccount {
  const secret = Buffer.from(key.slice(2), 'hex');
  return {
    address: addressOf(secp256k1.getPublicKey(secret, false)),
    signMessage: async ({ message }) => {
      const prefix = `\x19Ethereum Signed Message:\n${Buffer.byteLength(message)}`;
      const hash = keccak_256(Buffer.from(prefix + message, 'utf8'));
      const [recovery = 0, ...rAndS] = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
      return `0x${Buffer.from([...rAndS, 27 + recovery]).toString('hex')}`;
    },
  };
}

const addressOf = (publicKey: Uint8Array): string =>
  ethereumChecksum(Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex'));

/** EIP-55. `digits`: 40 in lower case. */
export function ethereumChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}
