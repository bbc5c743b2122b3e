import { find, pageOf } from './find.js';
import { wakeAll } from './start.js';

/** Searches while the reader types: fetches the page that the form leads to and replaces the results. */

const WAIT_MS = 120;

/** @param {HTMLFormElement} form */
export function wake(form) {
  const input = find(form, 'input[type="search"]', HTMLInputElement);
  let asked = addressOf(form);
  let timer = 0;
  let running = new AbortController();
  const look = async () => {
    const address = addressOf(form);
    if (address === asked) return;
    asked = address;
    running.abort();
    running = new AbortController();
    await show(address, running.signal, 'follow' in form.dataset).catch(() => {});
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(look, WAIT_MS);
  });
  addEventListener('keydown', (event) => move(event, input));
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') query.append(name, value);
  return query.size === 0 ? form.action : `${form.action}?${query}`;
}

/**
 * @param {string} address
 * @param {AbortSignal} signal
 * @param {boolean} follow
 */
async function show(address, signal, follow) {
  const answer = await fetch(address, { headers: { accept: 'text/html' }, signal });
  const page = await pageOf(answer);
  find(document, '#found-status', HTMLElement).textContent = page.getElementById('found')?.textContent ?? '';
  for (const id of ['results', 'filters']) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here === null || there === null) continue;
    here.replaceChildren(...there.childNodes);
    wakeAll(here);
  }
  if (!follow) return;
  history.replaceState(null, '', address);
  document.title = page.title;
}

/**
 * `/` focuses the search, the arrow keys move through the results, Escape moves back.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 */
function move(event, input) {
  const { key, target } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === '/' && !target.closest('input, textarea, select, [contenteditable]')) {
    event.preventDefault();
    input.select();
  }
  /** @type {NodeListOf<HTMLElement>} */
  const links = document.querySelectorAll('#results h3 a');
  const results = [...links];
  const at = results.indexOf(target);
  if (key === 'Escape' && at !== -1) input.focus();
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (target !== input && at === -1) return;
  const next = key === 'ArrowDown' ? results[at + 1] : (results[at - 1] ?? input);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
