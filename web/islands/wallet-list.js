/** @import { Wallet } from './wallets.js' */

import { visible } from './visible.js';
import { watchWallets } from './wallets.js';

/** @type {Record<Wallet['wallet_type'], string>} */
const TYPES = { ethereum: 'Ethereum', solana: 'Solana', device: 'This device' };

/**
 * Adds a button to `list` for each wallet of this browser as it is found, until the returned function is called. `choose`
 * receives the wallet that the reader picks.
 *
 * @param {HTMLElement} list
 * @param {(wallet: Wallet, button: HTMLButtonElement) => void} choose
 */
export function listWallets(list, choose) {
  return watchWallets((wallet) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button plain wallet';
    button.append(pictureOf(wallet), nameOf(wallet), kindOf(wallet));
    button.addEventListener('click', () => choose(wallet, button));
    list.append(button);
    list.dispatchEvent(new Event('wallet'));
  });
}

/** @param {Wallet} wallet */
function nameOf({ name }) {
  const text = document.createElement('bdi');
  text.textContent = visible(name);
  return text;
}

/** @param {Wallet} wallet */
function kindOf({ wallet_type }) {
  const text = document.createElement('span');
  text.className = 'label';
  text.textContent = TYPES[wallet_type];
  return text;
}

/** @param {Wallet} wallet */
function pictureOf({ icon, name }) {
  const picture = document.createElement(icon === null ? 'span' : 'img');
  picture.className = 'icon';
  if (icon === null) picture.textContent = [...visible(name)][0] ?? '';
  else Object.assign(picture, { src: icon, width: 24, height: 24 });
  picture.setAttribute(icon === null ? 'aria-hidden' : 'alt', icon === null ? 'true' : '');
  return picture;
}
