import { find, told } from './find.js';
import { visible } from './visible.js';

/** Sends the request of a form in the reference and shows the response. */

/** Longer responses are cut. */
const MOST_CHARACTERS = 200_000;
const SHOWN_HEADERS = ['content-type', 'etag', 'link', 'location', 'retry-after', 'ratelimit', 'x-request-id'];

/** @param {HTMLFormElement} form */
export function wake(form) {
  let running = new AbortController();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    running.abort();
    running = new AbortController();
    const output = find(form, 'output', HTMLElement);
    try {
      await send(form, output, running.signal);
    } catch (error) {
      if (told(error).name !== 'AbortError') output.textContent = 'The service did not respond.';
    }
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} output
 * @param {AbortSignal} signal
 */
async function send(form, output, signal) {
  const { method = 'GET', type = '' } = form.dataset;
  const body = fieldsOf(form).find(({ dataset }) => dataset.in === 'body')?.value;
  const started = performance.now();
  const answer = await fetch(addressOf(form), {
    method,
    signal,
    headers: body === undefined ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  const took_ms = Math.round(performance.now() - started);
  const head = document.createElement('p');
  head.textContent = `${answer.status} ${answer.statusText} in ${took_ms} ms`;
  const [headers, text] = [document.createElement('pre'), document.createElement('pre')];
  headers.textContent = SHOWN_HEADERS.filter((name) => answer.headers.has(name))
    .map((name) => `${name}: ${visible(answer.headers.get(name) ?? '')}`)
    .join('\n');
  text.tabIndex = 0;
  output.replaceChildren(head, headers, text);
  await fill(text, answer);
}

/**
 * `data-in` of each field says where its value belongs.
 *
 * @param {HTMLFormElement} form
 */
function fieldsOf(form) {
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
  const fields = form.querySelectorAll('[data-in]');
  return [...fields];
}

/**
 * The API path of the pages carries the session cookie.
 *
 * @param {HTMLFormElement} form
 */
function addressOf(form) {
  const fields = fieldsOf(form).filter(({ value }) => value !== '');
  const query = new URLSearchParams();
  let { path = '' } = form.dataset;
  for (const { name, value, dataset } of fields) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === 'query') query.set(name, value);
  }
  const address = path.startsWith('/api/') ? `/-${path}` : path;
  return query.size === 0 ? address : `${address}?${query}`;
}

/**
 * @param {HTMLElement} element
 * @param {Response} answer
 */
async function fill(element, answer) {
  const is_json = /json$/.test(answer.headers.get('content-type')?.split(';')[0] ?? '');
  let text = '';
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    text += part.value;
    if (!is_json) element.textContent = visible(text.slice(0, MOST_CHARACTERS));
    if (text.length > MOST_CHARACTERS) break;
  }
  await reader?.cancel();
  element.textContent = visible((is_json ? indented(text) : text).slice(0, MOST_CHARACTERS));
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
