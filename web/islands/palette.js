import { pageOf } from './find.js';

/** The search of the header: a panel over the page that shows what fits while the reader types. Without scripts the link leads to `/find`. */

const WAIT_MS = 120;
const RECENT = 'capstan-recent-searches';
const MOST_RECENT = 5;
const LINKS = 'a[href]';

/** @param {HTMLAnchorElement} link */
export function wake(link) {
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(link.pathname);
  });
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open(link.pathname);
  });
}

/** @param {string} path */
function open(path) {
  const field = document.querySelector('main:has(.find-results) #search');
  if (field instanceof HTMLInputElement) return field.select();
  if (document.querySelector('dialog[open]') !== null) return;
  const dialog = document.createElement('dialog');
  const input = Object.assign(document.createElement('input'), {
    type: 'search',
    maxLength: 400,
    autocomplete: 'off',
    spellcheck: false,
    placeholder: 'Search capabilities and docs',
  });
  const list = document.createElement('div');
  const status = Object.assign(document.createElement('p'), { className: 'hidden' });
  const keys = Object.assign(document.createElement('p'), { className: 'keys fine' });
  keys.textContent = '↑ ↓ move · Enter open · Esc close';
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', 'Search');
  input.setAttribute('aria-label', 'Search capabilities and docs');
  status.setAttribute('role', 'status');
  list.className = 'find-results';
  dialog.append(input, status, list, keys);
  document.body.append(dialog);

  let running = new AbortController();
  let timer = 0;
  const showRecent = () => list.replaceChildren(...recentLinks(input));
  /** @param {string} address */
  const show = async (address) => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const answer = await fetch(address, { headers: { accept: 'text/html' }, signal });
      const results = answer.ok ? (await pageOf(answer)).getElementById('results') : null;
      // An older answer never replaces a newer one.
      if (signal.aborted) return;
      if (results === null) throw new Error(`status ${answer.status}`);
      list.replaceChildren(...results.childNodes);
      const many = list.querySelectorAll('li a').length;
      status.textContent = many === 0 ? 'No results' : `${many} ${many === 1 ? 'result' : 'results'} shown`;
    } catch {
      if (!signal.aborted) list.textContent = 'You are offline, or the service does not respond.';
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    running.abort();
    const text = input.value.trim();
    if (text === '') showRecent();
    else timer = setTimeout(show, WAIT_MS, addressOf(path, text));
  });
  dialog.addEventListener('keydown', (event) => {
    // A search field would only be emptied.
    if (event.key === 'Escape') {
      event.preventDefault();
      dialog.close();
    } else move(event, input, list);
  });
  list.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    // The words as typed, instead of their correction, are searched for here.
    if (new URL(link.href).searchParams.has('as_typed')) {
      event.preventDefault();
      void show(`${addressOf(path, input.value.trim())}&as_typed=1`);
      input.focus();
    } else remember(input.value);
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    running.abort();
    dialog.remove();
  });
  showRecent();
  dialog.showModal();
}

/**
 * @param {string} path
 * @param {string} text
 */
const addressOf = (path, text) => `${path}?${new URLSearchParams({ search: text })}`;

/**
 * The arrows move through the links, and Enter in the field opens Browse.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 */
function move(event, input, list) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Enter' && target === input && input.value.trim() !== '') {
    event.preventDefault();
    remember(input.value);
    location.assign(addressOf('/marketplace', input.value.trim()));
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  /** @type {HTMLElement[]} */
  const stops = [input, ...list.querySelectorAll(/** @type {'a'} */ (LINKS))];
  const at = stops.indexOf(/** @type {HTMLElement} */ (target));
  const next = stops[key === 'ArrowDown' ? at + 1 : at - 1];
  event.preventDefault();
  next?.focus();
}

/** The searches of this browser, which are stored nowhere else. */
function recent() {
  try {
    const stored = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, MOST_RECENT) : [];
  } catch {
    return [];
  }
}

/** @param {string} text */
function remember(text) {
  const words = text.trim().slice(0, 400);
  if (words === '') return;
  try {
    const all = [words, ...recent().filter((other) => other !== words)].slice(0, MOST_RECENT);
    localStorage.setItem(RECENT, JSON.stringify(all));
  } catch {
    // A browser that stores nothing has no recent searches.
  }
}

/** @param {HTMLInputElement} input */
function recentLinks(input) {
  const all = recent();
  if (all.length === 0) return [];
  const title = Object.assign(document.createElement('h2'), { textContent: 'Recent searches' });
  const list = document.createElement('ul');
  for (const text of all) {
    const link = Object.assign(document.createElement('a'), {
      href: addressOf('/marketplace', text),
      textContent: text,
    });
    link.addEventListener('click', (event) => {
      event.preventDefault();
      event.stopPropagation();
      input.value = text;
      input.dispatchEvent(new Event('input'));
      input.focus();
    });
    const row = document.createElement('li');
    row.append(link);
    list.append(row);
  }
  const clear = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button plain small',
    textContent: 'Clear recent searches',
  });
  clear.addEventListener('click', () => {
    localStorage.removeItem(RECENT);
    input.dispatchEvent(new Event('input'));
    input.focus();
  });
  return [title, list, clear];
}
