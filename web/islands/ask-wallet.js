import { deviceKey, deviceWallet } from './device-store.js';
import { find } from './find.js';
import { listWallets } from './wallet-list.js';
import { walletOf } from './wallets.js';

/**
 * Asks which wallet or device signs, inside a form.
 *
 * @import { Wallet } from './wallets.js'
 */

/** @type {Record<string, string>} */
const ASKS = {
  step: 'Choose a wallet to sign with. In the wallet, select the account that is linked here.',
  proof: 'Choose the wallet to link. In the wallet, select the account to link.',
  text: 'Choose a wallet to sign with. In the wallet, select the account that the file names.',
};
const REMEMBERED = 'capstan-wallet';

/** @typedef {{list: HTMLElement, say: (words: string) => void}} Notes */

/**
 * The part of the form that shows questions and messages.
 *
 * @param {HTMLFormElement} form
 * @returns {Notes}
 */
export function placeFor(form) {
  if (form.querySelector('.asking') === null) {
    const [place, text, list] = [element('div', 'asking'), element('p', 'told'), element('div', 'wallets')];
    text.setAttribute('role', 'status');
    place.append(text, list);
    form.append(place);
  }
  const [text, list] = [find(form, '.asking > .told', HTMLElement), find(form, '.asking > .wallets', HTMLElement)];
  return {
    list,
    say: (words) => {
      text.textContent = words;
      list.replaceChildren();
    },
  };
}

/**
 * @param {string} name
 * @param {string} class_name
 */
export function element(name, class_name) {
  const made = document.createElement(name);
  made.className = class_name;
  return made;
}

/**
 * The wallet that signed last in this tab, or the one that the reader picks. For several signatures, each is asked for.
 *
 * @param {Notes} notes
 * @param {string} name
 * @param {boolean} always_ask
 * @returns {Promise<Wallet>}
 */
export async function choose({ say, list }, name, always_ask) {
  const device = name === 'step' ? await deviceKey() : undefined;
  if (device?.is_active) return deviceWallet(device);
  const is_asked = always_ask || name !== 'step';
  const known = is_asked ? undefined : walletOf(sessionStorage.getItem(REMEMBERED) ?? '');
  if (known !== undefined) {
    say(`Confirm in ${known.name}.`);
    return known;
  }
  say(ASKS[name] ?? '');
  return new Promise((done, refuse) => {
    const stop = listWallets(list, (wallet) => {
      stop();
      if (name === 'step') sessionStorage.setItem(REMEMBERED, wallet.id);
      say(`Confirm in ${wallet.name}.`);
      done(wallet);
    });
    // Installed wallets announce themselves at once, older ones within half a second.
    setTimeout(() => {
      if (list.childElementCount > 0) return;
      stop();
      refuse(
        new Error(
          'No wallet found in this browser. Add this device under Account, or open this page in the browser that ' +
            'has your wallet.',
        ),
      );
    }, 600);
    list.querySelector('button')?.focus();
  });
}
