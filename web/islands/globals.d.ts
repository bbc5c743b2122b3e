/** What wallets put into a page, as far as it is looked at. They are strangers: anything may be missing. */

/** EIP-1193. */
interface EthereumProvider {
  // biome-ignore lint/suspicious/noExplicitAny: what a stranger answers is looked at where it is used
  request(asked: { method: string; params?: readonly unknown[] }): Promise<any>;
}

/** Of the Wallet Standard. */
interface StandardWallet {
  name?: unknown;
  icon?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  features?: Record<string, any>;
}

interface Window {
  ethereum?: Partial<EthereumProvider>;
}

interface WindowEventMap {
  'eip6963:announceProvider': CustomEvent<{
    info?: { uuid?: string; rdns?: string; name?: unknown; icon?: unknown };
    provider?: Partial<EthereumProvider>;
  } | null>;
  'wallet-standard:register-wallet': CustomEvent<unknown>;
}
