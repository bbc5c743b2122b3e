import { morph } from './morph.js';
import { createCapstan } from './sdk/capstan.ts';
import { turnElement } from './turn.js';
import { visible } from './visible.js';

/** A turn told as it happens; when it has ended, the page's own form of it takes its place. */

const LONGEST_MS = 3_600_000;
/** A turn that was stopped is written down a moment later. */
const STOPPED_MS = 400;

export function wake(form) {
  const capstan = createCapstan({ base_url: '/-', retries: 0 });
  const message = form.querySelector('textarea');
  let running = null;
  form.querySelector('[data-hint]').hidden = false;
  form.querySelector('[data-stop]').addEventListener('click', () => running?.abort());
  message.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running !== null || message.value.trim() === '') return;
    running = new AbortController();
    await say(form, capstan, running.signal);
    running = null;
    message.focus();
  });
}

async function say(form, capstan, signal) {
  const message = form.querySelector('textarea');
  const words = message.value;
  const { element, tell } = turnElement(words);
  document.getElementById('turns').append(element);
  atWork(form, true);
  message.value = '';
  try {
    const on = form.dataset.conversation === '' ? {} : { conversation_id: form.dataset.conversation };
    const options = { accept: 'text/event-stream', signal, timeout_ms: LONGEST_MS };
    for await (const { event, data } of capstan.agents.chat({ body: { message: words, ...on } }, options)) {
      if (event === 'started') begun(form, data.conversation_id);
      tell(event, data);
    }
    status(form, 'The answer is complete.');
  } catch (error) {
    if (signal.aborted) await new Promise((done) => setTimeout(done, STOPPED_MS));
    else refused(form, error, words);
  }
  atWork(form, false);
  await renew(form, element);
}

function atWork(form, is_at_work) {
  form.querySelector('[type="submit"]').disabled = is_at_work;
  form.querySelector('[data-stop]').hidden = !is_at_work;
  if (is_at_work) form.querySelector('[role="alert"]').hidden = true;
  if (is_at_work) status(form, 'The agent is at work.');
}

const status = (form, text) => {
  form.querySelector('[data-status]').textContent = text;
};

/** The conversation has its address from its first turn on. */
function begun(form, id) {
  if (form.dataset.conversation === id) return;
  form.dataset.conversation = id;
  history.pushState(null, '', `/chat/${id}`);
}

function refused(form, { code, detail, message }, words) {
  const alert = form.querySelector('[role="alert"]');
  const text = document.createElement('p');
  text.textContent = visible(detail ?? message);
  alert.replaceChildren(text);
  if (code !== undefined && !code.startsWith('sdk.')) {
    const link = document.createElement('a');
    link.href = `/docs/errors/${code}`;
    link.textContent = `What ${code} means`;
    alert.append(link);
  }
  alert.hidden = false;
  form.querySelector('textarea').value = words;
}

/** What was told is replaced by what was kept: the answer as Markdown, the steps with their inputs. */
async function renew(form, element) {
  const { conversation } = form.dataset;
  if (conversation === '') return element.remove();
  const answer = await fetch(`/chat/${conversation}`, { headers: { accept: 'text/html' } }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const place of ['#turns', '.chat-side', '.talk > .head']) {
    const [here, there] = [document.querySelector(place), page.querySelector(place)];
    if (here !== null && there !== null) morph(here, there);
  }
  document.title = page.title;
}
