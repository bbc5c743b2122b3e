import { morph } from './morph.js';
import { createCapstan } from './sdk/capstan.ts';
import { visible } from './visible.js';

/** Watches a task: tells each move and what it prints as it happens, and renews the page from itself at each move. */

const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];
/** The last spans of a trace are stored within a second. */
const TRACE_LATER_MS = 1_200;

export async function wake(element) {
  const { task, status } = element.dataset;
  if (ENDED.includes(status)) return;
  const capstan = createCapstan({ base_url: '/-', retries: 5 });
  const told = { moves: [], printed: [] };
  try {
    for await (const { event, data } of capstan.tasks.watchTask({ id: task }, { timeout_ms: 86_400_000 })) {
      if (event === 'output') print(element, told, data);
      else await move(element, told, data);
    }
  } catch (error) {
    element.querySelector('#moves').append(item(`${error.detail ?? error.message} Reload the page to watch on.`));
  }
  if (document.querySelector('.waterfall') === null) {
    await new Promise((done) => setTimeout(done, TRACE_LATER_MS));
    await renew(element).catch(() => {});
  }
  wakeProof();
}

async function move(element, told, { at, status, status_reason }) {
  const reason = status_reason === null ? '' : ` ${status_reason.replaceAll('_', ' ')}`;
  told.moves.push(`${at.slice(11, 23)} ${status.replaceAll('_', ' ')}${reason}`);
  // Its state may have moved on since, so the page is asked and not the event.
  if (status !== element.dataset.status || ENDED.includes(status)) await renew(element).catch(() => {});
  if (!ENDED.includes(element.dataset.status)) show(element, told);
}

function print(element, told, { stream, text }) {
  told.printed.push({ stream, text: visible(text) });
  if (!ENDED.includes(element.dataset.status)) show(element, told);
}

/** What the page itself does not know before the task has ended. */
function show(element, { moves, printed }) {
  element.querySelector('#moves').replaceChildren(...moves.map(item));
  const place = element.querySelector('#printed');
  place.hidden = printed.length === 0;
  const pre = place.querySelector('pre');
  while (pre.childNodes.length > printed.length) pre.lastChild.remove();
  for (const { stream, text } of printed.slice(pre.childNodes.length)) {
    const span = document.createElement('span');
    span.className = stream;
    span.textContent = text;
    pre.append(span);
  }
}

function item(text) {
  const it = document.createElement('li');
  it.textContent = text;
  return it;
}

async function renew(element) {
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('run');
  if (fresh !== null) morph(element, fresh);
}

/** Trace and receipt came with the last renewal: nothing renews them after that. */
function wakeProof() {
  for (const it of document.querySelectorAll('#proof [data-island]'))
    import(`./${it.dataset.island}.js`).then(({ wake }) => wake(it));
}
