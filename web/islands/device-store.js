import { base58 } from './wallets.js';

/**
 * The device key of this browser. IndexedDB keeps it, and the browser never gives out its private half, not even to this page.
 *
 * @import { Wallet } from './wallets.js'
 *
 * @typedef {object} DeviceKey
 * @property {string} account The user id.
 * @property {string} address The public key in base58.
 * @property {CryptoKey} key
 * @property {boolean} is_active Whether the account accepts it. A key that waits for a confirmation is kept, too.
 */

const DATABASE = 'capstan-device-keys';
const STORE = 'keys';

/** The user that is signed in on this page; empty if nobody is. */
export const account = () => document.getElementById('main')?.dataset.account ?? '';

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'account' });
  return settled(request);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
  return new Promise((done, refuse) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => refuse(request.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} use
 * @returns {Promise<T>}
 */
async function withStore(mode, use) {
  const database = await open();
  try {
    return await settled(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/**
 * The key of the signed-in account; undefined if this browser has none, or keeps nothing, as in private windows.
 *
 * @returns {Promise<DeviceKey | undefined>}
 */
export async function deviceKey() {
  try {
    return await withStore('readonly', (store) => store.get(account()));
  } catch {
    return undefined;
  }
}

/** @param {DeviceKey} key */
export const keepDeviceKey = (key) => withStore('readwrite', (store) => store.put(key));

export const forgetDeviceKey = () => withStore('readwrite', (store) => store.delete(account()));

/**
 * A new key for the signed-in account. It is not kept yet.
 *
 * @returns {Promise<DeviceKey>}
 */
export async function newDeviceKey() {
  if (globalThis.crypto?.subtle === undefined) throw new Error('Device keys require HTTPS. Open this site over https.');
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).catch(() => {
    throw new Error(
      'This browser cannot make device keys. Update it (Chrome 137, Firefox 129 or Safari 17, or later), or link a wallet.',
    );
  });
  const { publicKey, privateKey } = /** @type {CryptoKeyPair} */ (pair);
  const address = base58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  return { account: account(), address, key: privateKey, is_active: false };
}

/**
 * The key as a wallet: it signs without asking.
 *
 * @param {DeviceKey} device
 * @returns {Wallet}
 */
export const deviceWallet = ({ address, key }) => ({
  id: 'device',
  name: 'this device',
  icon: null,
  wallet_type: 'device',
  sign: async (messageFor) => {
    const message = new TextEncoder().encode(await messageFor(address));
    return { address, signature: base58(new Uint8Array(await crypto.subtle.sign('Ed25519', key, message))) };
  },
});
