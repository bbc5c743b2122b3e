/** Search as you type. The form works without it; this only saves the pressing of Enter. */

const WAIT_MS = 150;
const form = document.querySelector('form.search');
const field = form.elements.namedItem('search');
const status = document.querySelector('#status');
let timer;
let running;

const address = () => {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== '');
  return pairs.length === 0 ? '/' : `/?${new URLSearchParams(pairs)}`;
};

async function search() {
  running?.abort();
  running = new AbortController();
  const url = address();
  try {
    const response = await fetch(url, { headers: { accept: 'text/html' }, signal: running.signal });
    if (!response.ok) return;
    const found = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.results');
    document.querySelector('.results').replaceWith(found);
    status.textContent = found.querySelector('h2').textContent;
    history.replaceState(null, '', url);
  } catch (error) {
    if (error.name !== 'AbortError') form.requestSubmit();
  }
}

field.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, WAIT_MS);
});

form.addEventListener('change', ({ target }) => {
  if (target !== field) search();
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select, textarea')) return;
  event.preventDefault();
  field.focus();
});
