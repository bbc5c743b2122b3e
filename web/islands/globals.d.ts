/** The parts of what wallets inject into a page that we read. Wallets are untrusted: anything may be missing. */

/** EIP-1193. */
interface EthereumProvider {
  // biome-ignore lint/suspicious/noExplicitAny: untrusted answers are checked where they are used
  request(asked: { method: string; params?: readonly unknown[] }): Promise<any>;
}

/** A wallet of the Wallet Standard. */
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
