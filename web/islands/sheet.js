import { wakeAll } from './start.js';

/** Opens the form of another page in a dialog above this one. Without scripts, and where there is no form, the link is followed. */

/** @param {HTMLAnchorElement} link */
export function wake(link) {
  let is_opening = false;
  link.addEventListener('click', async (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (is_opening) return;
    is_opening = true;
    const sheet = await sheetAt(link.href).catch(() => null);
    if (sheet === null) location.assign(link.href);
    else open(sheet);
    is_opening = false;
  });
}

/**
 * Null where another page answers, such as the sign-in.
 *
 * @param {string} address
 */
async function sheetAt(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  if (!response.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const form = page.querySelector('.connect-sheet');
  const title = page.querySelector('h1')?.textContent ?? '';
  return form === null ? null : { form, title };
}

/** @param {{form: Element, title: string}} sheet */
function open({ form, title }) {
  const dialog = document.createElement('dialog');
  const head = Object.assign(document.createElement('div'), { className: 'over-head' });
  const name = Object.assign(document.createElement('h2'), { id: 'sheet-title', textContent: title });
  const close = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button plain small',
    textContent: 'Close',
  });
  dialog.className = 'over';
  dialog.setAttribute('aria-labelledby', 'sheet-title');
  head.append(name, close);
  dialog.append(head, document.adoptNode(form));
  document.body.append(dialog);
  close.addEventListener('click', () => dialog.close());
  dialog.querySelector('[data-close]')?.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  wakeAll(dialog);
  dialog.showModal();
}
