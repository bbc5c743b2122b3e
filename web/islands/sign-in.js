import { find } from './find.js';
import { putInto, signChallenge, whyNot } from './signature.js';
import { listWallets } from './wallet-list.js';

/**
 * Signs in with a wallet: the chosen wallet signs a challenge, and the form is sent with the signature.
 *
 * @param {HTMLFormElement} form
 */
export function wake(form) {
  const list = find(form, '[data-wallets]', HTMLElement);
  const none = find(form, '[data-none]', HTMLElement);
  const problem = find(form, '[role="alert"]', HTMLElement);
  list.addEventListener('wallet', () => {
    none.hidden = true;
  });
  listWallets(list, async (wallet, button) => {
    problem.textContent = '';
    button.disabled = true;
    try {
      putInto(form, 'proof', await signChallenge(wallet, { operation: 'accounts.wallets.verify' }));
      sessionStorage.setItem('capstan-wallet', wallet.id);
      form.submit();
    } catch (error) {
      problem.textContent = whyNot(error);
      button.disabled = false;
      button.focus();
    }
  });
}
