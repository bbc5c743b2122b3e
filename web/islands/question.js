import { told } from './find.js';
import { visible } from './visible.js';

/**
 * The form of a question in the chat. Its schema is flat and untrusted.
 *
 * @import { ChatEvent } from './sdk/src/index.ts'
 * @typedef {Extract<ChatEvent, {event: 'question'}>['data']} Question
 * @typedef {string | number | boolean | string[]} Value
 * @typedef {{action: 'accept', content: Record<string, Value>} | {action: 'decline'}} Answer
 * @typedef {{name: string, type: string, read: () => Value | null}} Field
 */

const MOST_FIELDS = 50;
const MOST_OPTIONS = 200;

/**
 * @param {Question} question
 * @param {(id: string, answer: Answer) => Promise<unknown>} answer
 */
export function questionForm({ id, message, schema, link: page }, answer) {
  // A process of the version before sends no link.
  const link = page ?? null;
  const form = document.createElement('form');
  form.className = 'ask fields-form';
  const fields = link === null ? fieldsOf(id, schema) : [];
  const fault = part('p', '');
  fault.className = 'fault';
  fault.setAttribute('role', 'alert');
  fault.hidden = true;
  const [accept, decline] = [
    link === null ? button('Answer', '') : button('Continue', 'plain'),
    button('Decline', 'plain'),
  ];
  decline.formNoValidate = true;
  const ways = part('p', '');
  ways.className = 'ways';
  if (link !== null) ways.append(pageLink(link), ' ');
  ways.append(accept, ' ', decline);
  const notes = link === null ? ['The server gets your answer. Do not send passwords or keys.'] : aboutPage(link);
  form.append(part('p', message), ...notes.map(fine), ...fields.map(({ row }) => row), fault, ways);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isAccepted = event.submitter !== decline;
    accept.disabled = decline.disabled = true;
    try {
      await answer(id, isAccepted ? { action: 'accept', content: contentOf(fields) } : { action: 'decline' });
      form.remove();
    } catch (error) {
      const { detail, message: text } = told(error);
      fault.textContent = visible(detail ?? text);
      fault.hidden = false;
      accept.disabled = decline.disabled = false;
    }
  });
  return form;
}

/**
 * Opened by a press of its reader only. The service shows addresses of https alone.
 *
 * @param {NonNullable<Question['link']>} link
 */
function pageLink({ url }) {
  const opener = document.createElement('a');
  opener.className = 'button';
  opener.textContent = 'Open the page';
  if (url.startsWith('https://')) opener.href = url;
  opener.target = '_blank';
  opener.rel = 'noopener noreferrer';
  opener.referrerPolicy = 'no-referrer';
  return opener;
}

/** @param {NonNullable<Question['link']>} link */
const aboutPage = ({ url, host }) => [
  `The server asks you to open a page on ${host}. Open it only if you expect this: it may ask you for passwords or keys.`,
  url,
];

/** @param {string} text */
function fine(text) {
  const note = part('p', text);
  note.className = 'fine';
  return note;
}

/** @param {readonly Field[]} fields */
function contentOf(fields) {
  /** @type {Record<string, Value>} */
  const content = {};
  for (const { name, read } of fields) {
    const value = read();
    if (value !== null) Object.defineProperty(content, name, { value, enumerable: true });
  }
  return content;
}

/**
 * @param {string} id
 * @param {Record<string, unknown>} schema
 */
function fieldsOf(id, schema) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(Object(schema.properties))
    .slice(0, MOST_FIELDS)
    .map(([name, property]) => {
      const { type, title, description, default: preset, ...rest } = Object(property);
      const options = optionsOf(type === 'array' ? Object(rest.items) : rest);
      const control = controlOf(type, options, required.includes(name));
      control.id = `ask-${id}-${name}`;
      if (control instanceof HTMLInputElement && type === 'boolean') control.checked = preset === true;
      else if (typeof preset === 'string' || typeof preset === 'number') control.value = String(preset);
      const label = part('label', typeof title === 'string' ? title : name);
      label.setAttribute('for', control.id);
      const row = part('div', '');
      row.className = 'field-row';
      row.append(label, control);
      if (typeof description === 'string') row.append(part('p', description));
      return { name, type, row, read: () => valueIn(control, type) };
    });
}

/**
 * @param {Record<string, unknown>} field
 * @returns {[string, string][]}
 */
function optionsOf({ enum: values, oneOf, anyOf }) {
  if (Array.isArray(values)) return values.slice(0, MOST_OPTIONS).map((value) => [String(value), String(value)]);
  const constants = [oneOf, anyOf].find(Array.isArray) ?? [];
  return constants
    .slice(0, MOST_OPTIONS)
    .map(Object)
    .filter(({ const: value }) => typeof value === 'string')
    .map(({ const: value, title }) => [value, typeof title === 'string' ? title : value]);
}

/**
 * @param {unknown} type
 * @param {readonly [string, string][]} options
 * @param {boolean} is_required
 */
function controlOf(type, options, is_required) {
  if (options.length > 0) {
    const select = document.createElement('select');
    select.multiple = type === 'array';
    select.required = is_required;
    if (!is_required && type !== 'array') select.append(new Option('', ''));
    select.append(...options.map(([value, title]) => new Option(visible(title), value)));
    return select;
  }
  const input = document.createElement('input');
  if (type === 'boolean') input.type = 'checkbox';
  else if (type === 'number' || type === 'integer') input.type = 'number';
  if (input.type === 'number') input.step = 'any';
  input.maxLength = 8192;
  input.autocomplete = 'off';
  input.required = is_required && type !== 'boolean';
  return input;
}

/**
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {unknown} type
 * @returns {Value | null}
 */
function valueIn(control, type) {
  if (control instanceof HTMLSelectElement && control.multiple)
    return [...control.selectedOptions].map(({ value }) => value);
  if (control instanceof HTMLInputElement && type === 'boolean') return control.checked;
  if (control.value === '') return null;
  return type === 'number' || type === 'integer' ? Number(control.value) : control.value;
}

/**
 * @param {string} text
 * @param {string} look
 */
function button(text, look) {
  const element = document.createElement('button');
  element.className = `button ${look}`;
  element.textContent = text;
  return element;
}

/**
 * @param {string} name
 * @param {string} text
 */
function part(name, text) {
  const element = document.createElement(name);
  element.dir = 'auto';
  element.textContent = visible(text);
  return element;
}
