import { coreProblem } from '#core/errors.ts';
import { operatorPost } from '#core/outbound/operator-post.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { WalletVerifier } from './verifier.ts';

/** The wallet types. A verifier is loaded on first use, with the curves it needs. */

interface WalletOptions {
  config: { ethereum_rpc_url: string | null };
}

const LOADERS = {
  ethereum: async ({ config: { ethereum_rpc_url: url } }) => {
    const { ethereumVerifier, MAINNET } = await import('./ethereum.ts');
    if (url === null) return ethereumVerifier(null);
    const { contractCheck } = await import('./ethereum-contract.ts');
    return ethereumVerifier(contractCheck(MAINNET, (body) => operatorPost(url, body, RPC_TIMEOUT_MS)));
  },
  solana: async () => (await import('./solana.ts')).solanaVerifier(),
  device: async () => (await import('./device.ts')).deviceVerifier(),
} as const satisfies Record<string, (options: WalletOptions) => Promise<WalletVerifier>>;

const RPC_TIMEOUT_MS = 10_000;

export type WalletType = keyof typeof LOADERS;
/** Keys of browsers and programs. They confirm requests, and are neither a sign-in method nor shown as a wallet. */
export const DEVICE = 'device';
export const SIGNER_TYPES = Object.keys(LOADERS) as WalletType[];
export const WALLET_TYPES = SIGNER_TYPES.filter((type): type is Exclude<WalletType, typeof DEVICE> => type !== DEVICE);

export interface Wallets {
  verifier(type: WalletType): Promise<WalletVerifier>;
}

export function createWallets(options: WalletOptions): Wallets {
  const loaded = new Map<WalletType, Promise<WalletVerifier>>();
  return {
    verifier: (type) => {
      const verifier = loaded.get(type) ?? LOADERS[type](options);
      loaded.set(type, verifier);
      return verifier;
    },
  };
}

/** Returns the canonical address. Throws a 400 if the address or the type is invalid. */
export type CanonicalAddress = (walletType: string, text: string) => Promise<string>;

export const canonicalAddress =
  (wallets: Wallets): CanonicalAddress =>
  async (wallet_type, text) => {
    if (!(WALLET_TYPES as readonly string[]).includes(wallet_type)) throw unknownType();
    return (await wallets.verifier(wallet_type as WalletType)).canonicalAddress(text);
  };

function unknownType(): Problem {
  const detail = `must be one of ${WALLET_TYPES.join(', ')}`;
  return coreProblem('http.invalid', `Invalid wallet type: it ${detail}.`, {
    reason: 'input',
    errors: [{ pointer: '/wallet_type', detail }],
  });
}
