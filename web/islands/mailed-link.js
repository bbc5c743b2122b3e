import { find } from './find.js';

/**
 * Shows the form that an emailed link is for, and fills in the token after its `#`. The reader submits it.
 *
 * @param {HTMLElement} element
 */
export function wake(element) {
  const show = () => {
    const [kind = '', token = ''] = location.hash.slice(1).split('=');
    const forms = [...element.querySelectorAll('form')];
    const asked = forms.find(({ dataset: { links = '' } }) => links.split(' ').includes(kind));
    if (asked === undefined || token === '') return;
    for (const form of forms) form.hidden = form !== asked;
    find(element, '[data-none]', HTMLElement).hidden = true;
    find(asked, '[name="token"]', HTMLInputElement).value = token;
    const password = asked.querySelector('[type="password"]');
    if (password instanceof HTMLInputElement) password.focus();
    else find(asked, 'button', HTMLButtonElement).focus();
    // The token must not stay in the address bar or the history.
    history.replaceState(null, '', location.pathname);
  };
  addEventListener('hashchange', show);
  show();
}
