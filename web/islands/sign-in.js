import { putInto, signChallenge, whyNot } from './signature.js';
import { listWallets } from './wallet-list.js';

/** Signing in with a wallet: the chosen one signs a challenge, and the form is sent with it. */
export function wake(form) {
  const list = form.querySelector('[data-wallets]');
  const none = form.querySelector('[data-none]');
  const problem = form.querySelector('[role="alert"]');
  list.addEventListener('wallet', () => {
    none.hidden = true;
  });
  listWallets(list, async (wallet, button) => {
    problem.textContent = '';
    button.disabled = true;
    try {
      putInto(form, 'proof', await signChallenge(wallet));
      sessionStorage.setItem('capstan-wallet', wallet.id);
      form.submit();
    } catch (error) {
      problem.textContent = whyNot(error);
      button.disabled = false;
      button.focus();
    }
  });
}
