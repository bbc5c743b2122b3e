import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from './ethereum-account.ts';

/** Real wallets, as a client has them. */
export interface TestWallet {
  wallet_type: 'ethereum' | 'solana';
  address: string;
  sign(message: string): Promise<string>;
}

export function ethereumWallet(key = generatePrivateKey()): TestWallet {
  const account = privateKeyToAccount(key);
  return {
    wallet_type: 'ethereum',
    address: account.address,
    sign: (message) => account.signMessage({ message }),
  };
}

/** The key of a browser or a program. */
export const deviceKey = () => ({ ...solanaWallet(), wallet_type: 'device' as const });

export function solanaWallet(): TestWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return {
    wallet_type: 'solana',
    address: base58.encode(Buffer.from(x as string, 'base64url')),
    sign: async (message) => base58.encode(sign(null, Buffer.from(message), privateKey)),
  };
}
