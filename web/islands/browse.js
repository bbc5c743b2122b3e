import { pageOf } from './find.js';
import { morph } from './morph.js';

/** Follows the filters, the order and the pages of a list without loading the whole page, so that nothing jumps. */

const PARTS = ['filters', 'results'];

/** @param {HTMLElement} catalog */
export function wake(catalog) {
  let running = new AbortController();
  /**
   * @param {string} address
   * @param {boolean} is_new Whether the address becomes a step of the history.
   */
  const go = async (address, is_new) => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const answer = await fetch(address, { headers: { accept: 'text/html' }, signal });
      const page = await pageOf(answer);
      if (signal.aborted) return;
      if (!answer.ok || !show(page)) location.assign(address);
      else if (is_new) history.pushState(null, '', address);
    } catch {
      if (!signal.aborted) say('You are offline, or the service does not respond. The list is unchanged.', true);
    }
  };
  catalog.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = target.closest('a');
    if (link === null || link.origin !== location.origin || link.pathname !== location.pathname) return;
    event.preventDefault();
    void go(link.href, true);
    if (link.rel === 'next' || link.rel === 'prev') document.getElementById('results')?.scrollIntoView();
  });
  catalog.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.island !== 'sort') return;
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.append(name, value);
    void go(`${form.action}?${query}`, true);
  });
  addEventListener('popstate', () => void go(location.href, false));
}

/**
 * False if the page is of another kind.
 *
 * @param {Document} page
 */
function show(page) {
  const pairs = PARTS.map((id) => [document.getElementById(id), page.getElementById(id)]);
  if (pairs.some(([here, there]) => !here || !there)) return false;
  for (const [here, there] of pairs) morph(/** @type {Element} */ (here), /** @type {Element} */ (there));
  // A select that was used ignores which option is marked.
  const [order, marked] = [document, page].map((each) => each.querySelector('.sorts select'));
  if (order instanceof HTMLSelectElement && marked instanceof HTMLSelectElement) order.value = marked.value;
  const [form, fresh] = [document.querySelector('form.search'), page.querySelector('form.search')];
  if (form !== null && fresh !== null) keep(form, fresh);
  document.title = page.title;
  say(page.getElementById('found')?.textContent ?? '');
  return true;
}

/**
 * A later search keeps the filters of now.
 *
 * @param {Element} form
 * @param {Element} fresh
 */
function keep(form, fresh) {
  const hidden = 'input[type="hidden"]';
  for (const input of form.querySelectorAll(hidden)) input.remove();
  form.append(...fresh.querySelectorAll(hidden));
  const [own, given] = [form, fresh].map((each) => each.querySelector('input[type="search"]'));
  if (own instanceof HTMLInputElement && given instanceof HTMLInputElement) own.value = given.value;
}

/**
 * @param {string} words
 * @param {boolean} is_seen Otherwise only screen readers get them.
 */
function say(words, is_seen = false) {
  const status = document.getElementById('found-status');
  if (status === null) return;
  status.classList.toggle('hidden', !is_seen);
  status.textContent = words;
}
