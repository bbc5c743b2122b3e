import { type Html, html, type Value } from '../server/html.ts';
import { icon } from './icon.ts';
import { type Fault, type InputField, mustFill, type Written, writtenOf } from './input-fields.ts';
import { jsonText } from './json-text.ts';
import { cut } from './words.ts';

/** The form for an input, with errors beside the fields. */

export interface Filled {
  written: Written;
  /** The whole input as JSON, if the schema has no properties. */
  json: string;
  faults: readonly Fault[];
}

/** A form with more is refused. */
const MOST_JSON = 1_048_576;

/** An input in its form; `fields` is null if it is written as JSON only. */
export const filledWith = (fields: readonly InputField[] | null, input: unknown, most = MOST_JSON): Filled => ({
  written: writtenOf(fields ?? [], input),
  json: jsonText(input, most).text,
  faults: [],
});

/** Prefix of field names in the form body, because properties may have any name. */
export const FIELD = 'in.';

export function inputForm(fields: readonly InputField[] | null, filled: Filled): Html {
  const general = filled.faults.filter(({ name }) => name === '' || fields?.every((field) => field.name !== name));
  return html`${general.length > 0 && html`<ul class="fault">${general.map(({ name, detail }) => html`<li>${name !== '' && html`<code>${name}</code> `}${detail}</li>`)}</ul>`}
${fields === null ? wholeInput(filled) : fields.map((field, at) => row(field, at, filled))}`;
}

const wholeInput = ({ json }: Filled): Html => html`<div class="field-row"><label for="input-json">Input as JSON</label>
<textarea id="input-json" name="json" rows="10" spellcheck="false">${json}</textarea></div>`;

function row(field: InputField, at: number, { written, faults }: Filled): Html {
  const { name, label, description, type, is_required } = field;
  const id = `in-${at}`;
  const fault = faults.find((fault) => fault.name === name);
  const about = [description !== '' && `${id}-about`, fault && `${id}-fault`].filter(
    (entry) => typeof entry === 'string',
  );
  const attributes = html`id="${id}" name="${FIELD}${name}"${mustFill(field) && html` required`}${fault && html` aria-invalid="true"`}${about.length > 0 && html` aria-describedby="${about.join(' ')}"`}`;
  return html`<div class="field-row"><label for="${id}"><bdi>${cut(label, 100)}</bdi> <span class="label">${cut(type, 160)}${!is_required && ', optional'}</span>${label !== name && html`<code>${name}</code>`}</label>
${control(field, attributes, written[name] ?? '')}
${description !== '' && html`<p class="fine" id="${id}-about" dir="auto">${cut(description, 1_000)}</p>`}
${fault && html`<p class="fault" id="${id}-fault">${icon('circle-alert')}<span>${fault.detail}</span></p>`}</div>`;
}

function control({ way, choices, is_required, schema }: InputField, attributes: Html, value: string): Html {
  if (way === 'choice')
    return select(
      attributes,
      choices.map((choice) => [choice, plain(choice)]),
      value,
      is_required,
    );
  if (way === 'boolean') return select(attributes, YES_NO, value, is_required);
  if (way === 'number' || way === 'whole')
    return html`<input type="number" ${attributes} value="${value}" step="${way === 'whole' ? '1' : 'any'}"${bound('min', schema.minimum)}${bound('max', schema.maximum)}>`;
  if (way === 'line') return html`<input ${attributes} value="${value}" autocomplete="off" spellcheck="false">`;
  const rows = Math.min(14, Math.max(way === 'json' ? 3 : 2, value.split('\n').length));
  return html`<textarea ${attributes} rows="${rows}" spellcheck="false">${'\n'}${value}</textarea>`;
}

const YES_NO: [string, string][] = [
  ['true', 'yes'],
  ['false', 'no'],
];

const select = (attributes: Html, choices: [string, string][], value: string, isRequired: boolean): Html =>
  html`<select ${attributes}>${(!isRequired || value === '') && html`<option value="">${isRequired ? 'Choose' : 'Not set'}</option>`}${choices.map(([key, label]) => html`<option value="${key}"${key === value && html` selected`}>${label}</option>`)}</select>`;

const bound = (name: string, value: unknown): Value => typeof value === 'number' && html` ${name}="${value}"`;

/** A string without its quotes. */
function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' && value !== '' ? value : json;
}
