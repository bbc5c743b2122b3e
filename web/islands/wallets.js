/**
 * The wallets of this browser: Ethereum ones announce themselves (EIP-6963), Solana ones register (Wallet Standard).
 * Their names and icons are untrusted: text, never HTML, and icons only as data URLs.
 *
 * @typedef {(address: string) => string | Promise<string>} MessageFor
 * @typedef {object} Wallet
 * @property {string} id
 * @property {string} name
 * @property {string | null} icon
 * @property {'ethereum' | 'solana' | 'device'} wallet_type
 * @property {(messageFor: MessageFor) => Promise<{address: string, signature: string}>} sign Builds the text for an address,
 *   and returns the address and the signature.
 */

const MOST = 12;
const MOST_ICON = 100_000;
const ICON = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;
/** How long to wait for wallets that do not announce themselves. */
const LATE_MS = 400;

/** @type {Map<string, Wallet>} */
const found = new Map();
/** @type {Set<(wallet: Wallet) => void>} */
const watchers = new Set();

/**
 * Calls back with each wallet that is present or appears later. Returns a function that stops it.
 *
 * @param {(wallet: Wallet) => void} watcher
 */
export function watchWallets(watcher) {
  watchers.add(watcher);
  for (const wallet of found.values()) watcher(wallet);
  return () => watchers.delete(watcher);
}

/** @param {string} id */
export const walletOf = (id) => found.get(id);

/** @param {Wallet} wallet */
function offer(wallet) {
  if (found.has(wallet.id) || found.size >= MOST) return;
  found.set(wallet.id, wallet);
  for (const watcher of watchers) watcher(wallet);
}

/** @param {unknown} name */
const nameOf = (name) => (String(name ?? '').trim() || 'Wallet').slice(0, 40);

/**
 * Icons are shown only in an `img`, where they cannot run scripts.
 *
 * @param {unknown} icon
 */
const iconOf = (icon) => (typeof icon === 'string' && icon.length <= MOST_ICON && ICON.test(icon) ? icon : null);

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * @param {EthereumProvider} provider
 * @returns {Wallet['sign']}
 */
const signEthereum = (provider) => async (messageFor) => {
  const [address] = (await provider.request({ method: 'eth_requestAccounts' })) ?? [];
  if (typeof address !== 'string') throw new Error('The wallet shares no account. Unlock it and try again.');
  const text = `0x${hexOf(new TextEncoder().encode(await messageFor(address)))}`;
  return { address, signature: await provider.request({ method: 'personal_sign', params: [text, address] }) };
};

/**
 * @param {NonNullable<StandardWallet['features']>} features
 * @returns {Wallet['sign']}
 */
const signSolana = (features) => async (messageFor) => {
  const { accounts } = await features['standard:connect'].connect();
  const account = [...accounts].find(({ chains }) =>
    chains.some((/** @type {string} */ chain) => chain.startsWith('solana:')),
  );
  if (account === undefined) throw new Error('The wallet shares no Solana account. Unlock it and try again.');
  const message = new TextEncoder().encode(await messageFor(account.address));
  const [{ signature }] = await features['solana:signMessage'].signMessage({ account, message });
  return { address: account.address, signature: base58(signature) };
};

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** @param {Uint8Array} bytes */
export function base58(bytes) {
  let rest = BigInt(`0x0${hexOf(bytes)}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = DIGITS[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

/**
 * @param {string} id
 * @param {{name?: unknown, icon?: unknown}} info
 * @param {EthereumProvider} provider
 */
const ethereum = (id, { name, icon }, provider) =>
  offer({ id, name: nameOf(name), icon: iconOf(icon), wallet_type: 'ethereum', sign: signEthereum(provider) });

/**
 * @param {Partial<EthereumProvider> | undefined} provider
 * @returns {provider is EthereumProvider}
 */
const isProvider = (provider) => typeof provider?.request === 'function';

addEventListener('eip6963:announceProvider', ({ detail }) => {
  const { info, provider } = detail ?? {};
  if (isProvider(provider) && info?.uuid) ethereum(`e:${info.rdns ?? info.uuid}`, info, provider);
});
dispatchEvent(new Event('eip6963:requestProvider'));

// Older wallets only set this property.
setTimeout(() => {
  const is_announced = [...found.keys()].some((id) => id.startsWith('e:'));
  if (!is_announced && isProvider(window.ethereum)) ethereum('e:window', { name: 'Browser wallet' }, window.ethereum);
}, LATE_MS);

/** @param {(StandardWallet | null | undefined)[]} wallets */
function register(...wallets) {
  for (const { name, icon, features = {} } of wallets.map((wallet) => wallet ?? {}))
    if (features['standard:connect'] && features['solana:signMessage'])
      offer({
        id: `s:${name}`,
        name: nameOf(name),
        icon: iconOf(icon),
        wallet_type: 'solana',
        sign: signSolana(features),
      });
  return () => {};
}

addEventListener('wallet-standard:register-wallet', ({ detail }) => {
  if (typeof detail === 'function') detail({ register });
});
dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
