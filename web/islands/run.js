import { find, pageOf, told } from './find.js';
import { morph } from './morph.js';
import { createCapstan } from './sdk/src/capstan.ts';
import { stepText } from './sdk/src/stream-items.ts';
import { wakeAll } from './start.js';
import { visible } from './visible.js';

/** Follows a task: shows each change of state and its output as they arrive, and refreshes the page at each change. */

/**
 * @import { TaskEvent } from './sdk/src/index.ts'
 * @typedef {{moves: string[], printed: {stream: string, text: string}[], step?: string}} Told
 */

const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];
/** The last spans of a trace are stored within a second. */
const TRACE_LATER_MS = 1_200;

/** @param {HTMLElement} element */
export async function wake(element) {
  const { status = '' } = element.dataset;
  if (ENDED.includes(status)) return;
  const capstan = createCapstan({ base_url: '/-', retries: 5 });
  /** @type {Told} */
  const so_far = { moves: [], printed: [] };
  await follow(element, (id, since) => capstan.tasks.watch({ id }, { timeout_ms: 86_400_000, headers: since }), so_far);
  if (document.querySelector('.waterfall') === null) {
    await new Promise((done) => setTimeout(done, TRACE_LATER_MS));
    await renew(element).catch(() => {});
  }
  wakeProof();
}

const LEAST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 15_000;

/**
 * Shows the events until the task has ended. A lost connection is made again, from the last event that was received.
 *
 * @param {HTMLElement} element
 * @param {(id: string, since: Record<string, string>) => AsyncGenerator<TaskEvent>} watch
 * @param {Told} so_far
 */
async function follow(element, watch, so_far) {
  const { task = '' } = element.dataset;
  let last = '';
  for (let wait_ms = LEAST_WAIT_MS; ; wait_ms = Math.min(2 * wait_ms, MOST_WAIT_MS)) {
    try {
      for await (const taskEvent of watch(task, last === '' ? {} : { 'last-event-id': last })) {
        last = taskEvent.id;
        wait_ms = LEAST_WAIT_MS;
        say(element, '');
        await take(element, so_far, taskEvent);
      }
      return;
    } catch (error) {
      const { detail, message, status = 0 } = told(error);
      if (status >= 400 && status < 500 && status !== 429) {
        say(element, `${detail ?? message} Reload the page to continue.`);
        return;
      }
      say(element, 'Connection lost. Reconnecting…');
      await new Promise((done) => setTimeout(done, wait_ms));
    }
  }
}

/**
 * @param {HTMLElement} element
 * @param {Told} so_far
 * @param {TaskEvent} taskEvent
 */
async function take(element, so_far, { event, data }) {
  if (event === 'output') print(element, so_far, data);
  else if (event === 'step') step(element, so_far, data);
  else await move(element, so_far, data);
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function say(element, text) {
  const place = element.querySelector('#lost');
  if (!(place instanceof HTMLElement)) return;
  place.textContent = text;
  place.hidden = text === '';
}

/**
 * @param {HTMLElement} element
 * @param {Told} so_far
 * @param {Extract<TaskEvent, {event: 'status'}>['data']} data
 */
async function move(element, so_far, { at, status, status_reason }) {
  delete so_far.step;
  const reason = status_reason === null ? '' : ` ${status_reason.replaceAll('_', ' ')}`;
  so_far.moves.push(`${at.slice(11, 23)} ${status.replaceAll('_', ' ')}${reason}`);
  // The state may have changed again since the event, so the page is fetched.
  if (status !== element.dataset.status || ENDED.includes(status)) await renew(element).catch(() => {});
  if (!hasEnded(element)) show(element, so_far);
}

/**
 * @param {HTMLElement} element
 * @param {Told} so_far
 * @param {Extract<TaskEvent, {event: 'output'}>['data']} data
 */
function print(element, so_far, { stream, text }) {
  so_far.printed.push({ stream, text: visible(text) });
  if (!hasEnded(element)) show(element, so_far);
}

/**
 * Shows the current step of preparing a package in the last line of the log.
 *
 * @param {HTMLElement} element
 * @param {Told} so_far
 * @param {Extract<TaskEvent, {event: 'step'}>['data']} data
 */
function step(element, so_far, { at, ...data }) {
  const name = data.step;
  if (so_far.step === name) so_far.moves.pop();
  so_far.step = name;
  so_far.moves.push(`${at.slice(11, 23)} ${stepText(data)}`);
  if (!hasEnded(element)) show(element, so_far);
}

/** @param {HTMLElement} element */
const hasEnded = ({ dataset: { status = '' } }) => ENDED.includes(status);

/**
 * Restores what the page itself shows only once the task has ended.
 *
 * @param {HTMLElement} element
 * @param {Told} so_far
 */
function show(element, { moves, printed }) {
  find(element, '#moves', HTMLElement).replaceChildren(...moves.map(item));
  const place = find(element, '#printed', HTMLElement);
  place.hidden = printed.length === 0;
  const pre = find(place, 'pre', HTMLElement);
  while (pre.childNodes.length > printed.length) pre.lastChild?.remove();
  for (const { stream, text } of printed.slice(pre.childNodes.length)) {
    const span = document.createElement('span');
    span.className = stream;
    span.textContent = text;
    pre.append(span);
  }
}

/** @param {string} text */
function item(text) {
  const element = document.createElement('li');
  element.textContent = text;
  return element;
}

/** @param {HTMLElement} element */
async function renew(element) {
  const answer = await fetch(`${location.pathname}${location.search}`, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const page = await pageOf(answer);
  const fresh = page.getElementById('run');
  if (fresh !== null) morph(element, fresh);
}

/** The last refresh brought the trace and the receipt, which do not change any more. */
function wakeProof() {
  for (const proof of document.querySelectorAll('.proof')) wakeAll(proof);
}
