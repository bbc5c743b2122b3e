import { find } from './find.js';

/**
 * The form that a mailed link is for, with the token that stands behind its `#`. It is sent by whoever presses the button.
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
    // Out of the address line and the history.
    history.replaceState(null, '', location.pathname);
  };
  addEventListener('hashchange', show);
  show();
}
