import { questionForm } from './question.js';
import { setState } from './state.js';
import { visible } from './visible.js';

/**
 * @import { ChatEvent } from './sdk/src/index.ts'
 * @typedef {Extract<ChatEvent, {event: 'step_finished'}>['data']} Finished
 */

/**
 * Shows a turn while it streams. Everything is plain text until the server renders the finished turn.
 *
 * @param {string} words
 * @param {Parameters<typeof questionForm>[1]} answer
 */
export function turnElement(words, answer) {
  const element = make('article', 'turn');
  const said = make('div', 'said-words', make('p', '', words));
  const steps = make('ol', 'taken');
  const text = make('p', 'telling');
  element.append(said, make('div', 'answer', steps, text));
  /** @type {Map<unknown, HTMLElement>} */
  const open = new Map();
  let at = 0;
  /** @param {ChatEvent} told */
  const tell = ({ event, data }) => {
    if (event === 'text') {
      if (data.step !== at && text.textContent !== '') text.textContent += '\n\n';
      at = data.step;
      text.textContent += visible(data.text);
    }
    if (event === 'step_started') {
      const line = make('li', '', make('code', '', data.tool), ' ', make('span', 'state'));
      mark(line, 'busy', 'running');
      line.append(make('pre', '', data.input));
      open.set(data.call, line);
      steps.append(line);
    }
    if (event === 'step_progress')
      mark(
        open.get(data.call),
        'busy',
        data.message || `${data.done}${data.total === null ? '' : ` of ${data.total}`}`,
      );
    if (event === 'question') {
      mark(open.get(data.call), 'warn', 'waiting for your answer');
      open.get(data.call)?.append(questionForm(data, answer));
    }
    if (event === 'step_finished') finish(open.get(data.call), data);
  };
  return { element, tell };
}

/** @type {Record<Finished['status'], string>} */
const LOOKS = { completed: 'good', failed: 'bad', refused: 'warn' };

/**
 * @param {HTMLElement | undefined} line
 * @param {Finished} finished
 */
function finish(line, { status, duration_ms, error, run }) {
  // A question that nobody answered ends with its call.
  line?.querySelector('form.ask')?.remove();
  mark(line, LOOKS[status], `${status}, ${Math.round(duration_ms)} ms`);
  if (error !== null) line?.append(make('p', '', error.detail));
  if (run === null) return;
  const link = make('a', '', 'View run');
  link.setAttribute('href', `/runs/${run.task_id}`);
  line?.append(make('p', 'ran', link));
}

/**
 * @param {HTMLElement | undefined} line
 * @param {string} look
 * @param {string} text
 */
function mark(line, look, text) {
  const state = line?.querySelector('.state');
  if (!state) return;
  setState(state, look, visible(text));
}

/**
 * @param {string} name
 * @param {string} class_name
 * @param {(string | Node)[]} parts
 */
function make(name, class_name, ...parts) {
  const element = document.createElement(name);
  if (class_name !== '') element.className = class_name;
  element.append(...parts.map((part) => (typeof part === 'string' ? visible(part) : part)));
  return element;
}
