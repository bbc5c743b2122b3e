/** Search as one types: what the form would lead to is fetched, and its results are put in the place of these. */

const WAIT_MS = 120;

export function wake(form) {
  const input = form.querySelector('input[type="search"]');
  let asked = addressOf(form);
  let timer;
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

function addressOf(form) {
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
  const query = new URLSearchParams(given);
  return query.size === 0 ? form.action : `${form.action}?${query}`;
}

async function show(address, signal, follow) {
  const answer = await fetch(address, { headers: { accept: 'text/html' }, signal });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.getElementById('found-status').textContent = page.getElementById('found')?.textContent ?? '';
  for (const id of ['results', 'filters']) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here !== null && there !== null) here.replaceChildren(...there.childNodes);
  }
  if (!follow) return;
  history.replaceState(null, '', address);
  document.title = page.title;
}

/** `/` leads to the search, the arrows through what was found, Escape back. */
function move(event, input) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === '/' && !target.closest('input, textarea, select, [contenteditable]')) {
    event.preventDefault();
    input.select();
  }
  const results = [...document.querySelectorAll('#results h3 a')];
  const at = results.indexOf(target);
  if (key === 'Escape' && at !== -1) input.focus();
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (target !== input && at === -1) return;
  const next = key === 'ArrowDown' ? results[at + 1] : (results[at - 1] ?? input);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
