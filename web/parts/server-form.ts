import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';
import { cut } from './words.ts';

/** The form of a question that a server asks during a run. Its schema is untrusted and flat. */

type Question = NonNullable<Task['server_question']>;
type Value = string | number | boolean | string[];

interface Field {
  name: string;
  title: string;
  description: string;
  type: string;
  format: string;
  /** Value and title of each option; empty without any. */
  options: readonly (readonly [string, string])[];
  is_required: boolean;
  preset: unknown;
}

const MOST_FIELDS = 50;
const MOST_OPTIONS = 200;
const FIELD = 'field.';

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function fieldsIn({ schema }: Question): Field[] {
  const { properties, required } = asObject(schema);
  const names = Array.isArray(required) ? required : [];
  return Object.entries(asObject(properties))
    .slice(0, MOST_FIELDS)
    .map(([name, property]) => {
      const field = asObject(property);
      return {
        name,
        title: textOf(field.title) || name,
        description: textOf(field.description),
        type: textOf(field.type),
        format: textOf(field.format),
        options: optionsOf(field.type === 'array' ? asObject(field.items) : field),
        is_required: names.includes(name),
        preset: field.default,
      };
    });
}

/** `enum`, with titles in `enumNames`, or `oneOf` and `anyOf` of constants with titles. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Record<string, unknown>): [string, string][] {
  if (Array.isArray(values)) {
    const titles = Array.isArray(enumNames) ? enumNames : [];
    return values.slice(0, MOST_OPTIONS).map((value, at) => [String(value), textOf(titles[at]) || String(value)]);
  }
  const constants = [oneOf, anyOf].find((list) => Array.isArray(list)) as unknown[] | undefined;
  return (constants ?? []).slice(0, MOST_OPTIONS).flatMap((option) => {
    const { const: value, title } = asObject(option);
    return typeof value === 'string' ? [[value, textOf(title) || value] as [string, string]] : [];
  });
}

export const serverForm = (question: Question, fault: string | null): Html =>
  question.link === null ? fieldsForm(question, fault) : linkForm(question, question.link, fault);

/** The page is opened by a press of its reader, and learns nothing of where they come from. */
const linkForm = (question: Question, { url, host }: NonNullable<Question['link']>, fault: string | null): Html =>
  html`<section class="ask" aria-labelledby="ask"><h2 id="ask">A server asks you to open a page</h2>
<p dir="auto">${cut(question.message, 4_000)}</p>
<p>The page is on <strong><bdi><code>${cut(host, 260)}</code></bdi></strong>. Open it only if you expect this: it may ask you for passwords or keys.</p>
<p class="fine"><bdi>${cut(url, 2_048)}</bdi></p>
<p class="fine">The question expires at <time datetime="${question.expires_at}">${question.expires_at.slice(11, 16)} UTC</time>.</p>
${fault !== null && html`<p class="fault" role="alert">${icon('circle-alert')}<span>${cut(fault, 1_000)}</span></p>`}
<form method="post" class="fields-form"><input type="hidden" name="do" value="reply"><input type="hidden" name="question" value="${question.id}">
<p class="ways"><a class="button" href="${url}" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">Open the page</a>
<button type="submit" class="button plain" name="action" value="accept">Continue</button>
<button type="submit" class="button plain" name="action" value="decline">Decline</button></p></form></section>`;

const fieldsForm = (question: Question, fault: string | null): Html =>
  html`<section class="ask" aria-labelledby="ask"><h2 id="ask">A server asks you</h2>
<p dir="auto">${cut(question.message, 4_000)}</p>
<p class="fine">The server gets your answer. Do not send passwords or keys. The question expires at <time datetime="${question.expires_at}">${question.expires_at.slice(11, 16)} UTC</time>.</p>
${fault !== null && html`<p class="fault" role="alert">${icon('circle-alert')}<span>${cut(fault, 1_000)}</span></p>`}
<form method="post" class="fields-form"><input type="hidden" name="do" value="reply"><input type="hidden" name="question" value="${question.id}">
${fieldsIn(question).map(fieldRow)}
<p class="ways"><button type="submit" class="button" name="action" value="accept">Answer</button>
<button type="submit" class="button plain" name="action" value="decline" formnovalidate>Decline</button></p></form></section>`;

function fieldRow(field: Field): Html {
  const { name, title, description, type, options, is_required } = field;
  const id = `ask-${name}`;
  const note = description !== '' && html`<p class="fine" dir="auto" id="${id}-note">${cut(description, 500)}</p>`;
  const described = description !== '' && html` aria-describedby="${id}-note"`;
  const label = html`<label for="${id}"><bdi>${cut(title, 200)}</bdi>${is_required && html` <span class="label">required</span>`}</label>`;
  if (type === 'boolean')
    return html`<div class="field-row"><label><input type="checkbox" name="${FIELD}${name}" value="true"${field.preset === true && html` checked`}${described}> <bdi>${cut(title, 200)}</bdi></label>${note}</div>`;
  if (type === 'array')
    return html`<fieldset class="field-row"><legend><bdi>${cut(title, 200)}</bdi></legend>${options.map(
      ([value, shown]) =>
        html`<label><input type="checkbox" name="${FIELD}${name}" value="${value}"${Array.isArray(field.preset) && field.preset.includes(value) && html` checked`}> <bdi>${cut(shown, 200)}</bdi></label> `,
    )}${note}</fieldset>`;
  if (options.length > 0)
    return html`<div class="field-row">${label}<select id="${id}" name="${FIELD}${name}"${is_required && html` required`}${described}>
${!is_required && html`<option value=""></option>`}${options.map(([value, shown]) => html`<option value="${value}"${field.preset === value && html` selected`}>${cut(shown, 200)}</option>`)}</select>${note}</div>`;
  const preset = typeof field.preset === 'string' || typeof field.preset === 'number' ? String(field.preset) : '';
  return html`<div class="field-row">${label}<input id="${id}" name="${FIELD}${name}" type="${inputType(field)}"${type === 'number' && html` step="any"`} value="${cut(preset, 8_192)}" maxlength="8192" autocomplete="off"${is_required && html` required`}${described}>${note}</div>`;
}

const TYPES: Record<string, string> = { email: 'email', uri: 'url', date: 'date' };

const inputType = ({ type, format }: Field): string =>
  type === 'number' || type === 'integer' ? 'number' : (TYPES[format] ?? 'text');

/** The answer in the protocol's format. Empty fields are left out; the service checks the rest. */
export function replyIn(form: URLSearchParams, question: Question) {
  if (form.get('action') !== 'accept') return { action: 'decline' as const };
  const content: Record<string, Value> = {};
  for (const field of fieldsIn(question)) {
    const value = valueIn(form.getAll(`${FIELD}${field.name}`), field);
    if (value !== null) Object.defineProperty(content, field.name, { value, enumerable: true });
  }
  return { action: 'accept' as const, content };
}

function valueIn(given: string[], { type, is_required }: Field): Value | null {
  if (type === 'boolean') return given.includes('true');
  if (type === 'array') return given.length > 0 || is_required ? given : null;
  const [text = ''] = given;
  if (text === '') return null;
  const isNumber = (type === 'number' || type === 'integer') && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}
