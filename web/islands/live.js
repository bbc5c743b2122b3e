import { pageOf } from './find.js';
import { morph } from './morph.js';

/**
 * Reloads its part of the page while the tab is visible and the page says that it still changes. `data-every` is in ms.
 * With an `id` the element is found again after it has stopped changing.
 *
 * @param {HTMLElement} element
 */
export function wake(element) {
  const at = [...document.querySelectorAll('[data-island="live"]')].indexOf(element);
  const renew = async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) return;
    const page = await pageOf(answer);
    const fresh =
      element.id === '' ? page.querySelectorAll('[data-island="live"]')[at] : page.getElementById(element.id);
    if (fresh) morph(element, fresh);
  };
  const next = () => {
    if (element.dataset.every === undefined) return;
    setTimeout(
      () =>
        renew()
          .catch(() => {})
          .finally(next),
      Number(element.dataset.every),
    );
  };
  next();
}
