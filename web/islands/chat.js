import { find, pageOf, told } from './find.js';
import { morph } from './morph.js';
import { createCapstan } from './sdk/src/capstan.ts';
import { turnElement } from './turn.js';
import { visible } from './visible.js';

/**
 * @import { Capstan } from './sdk/src/index.ts'
 * @typedef {{id: string | null, is_unwanted: boolean}} Running
 */

/** Shows a turn as it streams. When it has ended, the HTML that the server renders replaces it. */

const LONGEST_MS = 3_600_000;
/** How long the status is there for screen readers. */
const STATUS_MS = 10_000;
/** Characters of an answer that a screen reader reads without being asked to. */
const MOST_READ_OUT = 600;

/** @param {HTMLFormElement} form */
export function wake(form) {
  const capstan = createCapstan({ base_url: '/-', retries: 0 });
  const message = find(form, 'textarea', HTMLTextAreaElement);
  /** @type {Running | null} */
  let running = null;
  find(form, '[data-hint]', HTMLElement).hidden = false;
  find(form, '[data-stop]', HTMLElement).addEventListener('click', () => {
    if (running === null) return;
    running.is_unwanted = true;
    stop(capstan, running);
  });
  message.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  // Buttons that send a message are redrawn with the turns, so the page listens for them.
  document.addEventListener('submit', (event) => {
    const [from, words] = [
      event.target,
      event.target instanceof HTMLFormElement && new FormData(event.target).get('message'),
    ];
    if (!(from instanceof HTMLFormElement) || !from.matches('form.say') || typeof words !== 'string') return;
    event.preventDefault();
    if (running !== null) return;
    message.value = words;
    form.requestSubmit();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running !== null || message.value.trim() === '') return;
    running = { id: null, is_unwanted: false };
    await say(form, capstan, running);
    running = null;
    message.focus();
  });
}

/**
 * Ends the turn of any process. Before it has an id, it is stopped as soon as it has.
 *
 * @param {Capstan} capstan
 * @param {Running} running
 */
function stop(capstan, { id }) {
  // A turn that has ended cannot be stopped.
  if (id !== null) capstan.agent.cancel({ turn_id: id }).catch(() => {});
}

/**
 * The turn continues if this page is left or loaded again.
 *
 * @param {HTMLFormElement} form
 * @param {Capstan} capstan
 * @param {Running} running
 */
async function say(form, capstan, running) {
  const message = find(form, 'textarea', HTMLTextAreaElement);
  const words = message.value;
  const { element, tell } = turnElement(words, (question_id, body) => capstan.agent.answer({ question_id, body }));
  find(document, '#turns', HTMLElement).append(element);
  document.querySelector('.suggested')?.remove();
  element.scrollIntoView({ block: 'nearest' });
  atWork(form, true);
  message.value = '';
  try {
    const { conversation = '' } = form.dataset;
    const on = conversation === '' ? {} : { conversation_id: conversation };
    const said = { body: { message: words, keep_running: true, ...on } };
    let answer = '';
    const turn = capstan.agent.chat(said, { accept: 'text/event-stream', timeout_ms: LONGEST_MS });
    for await (const chatEvent of turn) {
      if (chatEvent.event === 'started') {
        begun(form, chatEvent.data.conversation_id);
        running.id = chatEvent.data.id;
        if (running.is_unwanted) stop(capstan, running);
      }
      if (chatEvent.event === 'done') answer = chatEvent.data.message;
      tell(chatEvent);
    }
    // Read out once as a whole: pieces that follow each other would interrupt each other.
    const words_read = visible(answer.slice(0, MOST_READ_OUT));
    status(form, running.is_unwanted ? 'Stopped.' : `The answer is complete. ${words_read}`);
  } catch (error) {
    refused(form, error, words);
  }
  atWork(form, false);
  await renew(form, element);
}

/**
 * @param {HTMLFormElement} form
 * @param {boolean} is_at_work
 */
function atWork(form, is_at_work) {
  find(form, '[type="submit"]', HTMLButtonElement).disabled = is_at_work;
  find(form, '[data-stop]', HTMLElement).hidden = !is_at_work;
  if (is_at_work) find(form, '[role="alert"]', HTMLElement).hidden = true;
  if (is_at_work) status(form, 'The agent is working.');
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function status(form, text) {
  const place = find(form, '[data-status]', HTMLElement);
  place.textContent = text;
  // It has been read out by then, and would be there twice for those who read on.
  setTimeout(() => {
    if (place.textContent === text) place.textContent = '';
  }, STATUS_MS);
}

/**
 * Puts the address of the conversation into the address bar once its first turn has started.
 *
 * @param {HTMLFormElement} form
 * @param {string} id
 */
function begun(form, id) {
  if (form.dataset.conversation === id) return;
  form.dataset.conversation = id;
  history.pushState(null, '', `/chat/${id}`);
}

/**
 * @param {HTMLFormElement} form
 * @param {unknown} error
 * @param {string} words
 */
function refused(form, error, words) {
  const { code, detail, message } = told(error);
  const alert = find(form, '[role="alert"]', HTMLElement);
  const text = document.createElement('p');
  text.textContent = visible(detail ?? message);
  alert.replaceChildren(text);
  if (typeof code === 'string' && !code.startsWith('sdk.')) {
    const link = document.createElement('a');
    link.href = `/docs/errors/${code}`;
    link.textContent = `What ${code} means`;
    alert.append(link);
  }
  alert.hidden = false;
  find(form, 'textarea', HTMLTextAreaElement).value = words;
}

/**
 * Replaces the streamed text with the stored turn: the answer as Markdown, the steps with their inputs.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement} element
 */
async function renew(form, element) {
  const { conversation = '' } = form.dataset;
  if (conversation === '') return element.remove();
  const answer = await fetch(`/chat/${conversation}`, { headers: { accept: 'text/html' } }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const page = await pageOf(answer);
  for (const place of ['#turns', '.chat-side', '.talk > .head']) {
    const [here, there] = [document.querySelector(place), page.querySelector(place)];
    if (here !== null && there !== null) morph(here, there);
  }
  document.title = page.title;
}
