import { morph } from './morph.js';

/** Renews its part of the page from the page itself, as long as somebody looks. `data-every` in ms. */
export function wake(element) {
  const at = [...document.querySelectorAll('[data-island="live"]')].indexOf(element);
  const renew = async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelectorAll('[data-island="live"]')[at];
    if (fresh !== undefined) morph(element, fresh);
  };
  const next = () =>
    setTimeout(
      () =>
        renew()
          .catch(() => {})
          .finally(next),
      Number(element.dataset.every),
    );
  next();
}
