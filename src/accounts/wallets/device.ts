import { signInMessage } from './message.ts';
import { solanaVerifier } from './solana.ts';
import type { WalletVerifier } from './verifier.ts';

/**
 * Keys of browsers and programs: Ed25519 in base58, verified as strictly as Solana accounts. They confirm requests and never sign in.
 */

const CHAIN = { account: 'device key', chain_id: 'none' };

export const deviceVerifier = (): WalletVerifier => ({
  ...solanaVerifier(),
  type: 'device',
  caip10: (address) => `device:none:${address}`,
  message: (parts) => signInMessage(CHAIN, parts),
});
