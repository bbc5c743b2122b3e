import { type Html, html } from '../server/html.ts';
import { jsonIn, unfit } from './json-input.ts';
import { typeOf } from './schema-fields.ts';
import { cut } from './words.ts';

/**
 * Converts the JSON Schema of an object to a form and submitted forms back to values. Strings, numbers and choices have
 * native fields, everything else takes JSON. A schema without properties takes one JSON value. The schema is untrusted.
 */

type Schema = Record<string, unknown>;

const MOST_FIELDS = 60;

export function schemaForm(schema: Schema, given: URLSearchParams | null): Html {
  const fields = fieldsOf(schema);
  const required = requiredOf(schema);
  if (fields === null)
    return html`<label>Arguments <span class="label">JSON</span><textarea name="all" rows="6" spellcheck="false">${given?.get('all') ?? '{}'}</textarea></label>`;
  return html`${fields.map(([name, schema]) => field(name, schema, required.includes(name), given))}`;
}

function field(name: string, schema: Schema, isRequired: boolean, given: URLSearchParams | null): Html {
  const preset = schema.default === undefined ? '' : textOf(schema.default);
  const value = given?.get(`in.${name}`) ?? preset;
  const about = typeof schema.description === 'string' ? cut(schema.description, 400) : '';
  const key = html`name="in.${name}"${isRequired && html` required`}`;
  const label = html`<span><code>${cut(name, 80)}</code> <span class="label">${cut(typeOf(schema), 120)}${isRequired && ', required'}</span></span>${about !== '' && html`<span class="fine" dir="auto">${about}</span>`}`;
  return html`<label>${label}${entry(schema, key, value, isRequired)}</label>`;
}

function entry(schema: Schema, key: Html, value: string, isRequired: boolean): Html {
  const choices = choicesOf(schema);
  if (choices !== null)
    return html`<select ${key}>${!isRequired && html`<option value=""></option>`}${choices.map((choice) => html`<option${choice === value && html` selected`}>${choice}</option>`)}</select>`;
  if (schema.type === 'number' || schema.type === 'integer')
    return html`<input type="number" step="${schema.type === 'integer' ? '1' : 'any'}" ${key} value="${value}">`;
  if (schema.type !== 'string') return html`<textarea ${key} rows="3" spellcheck="false">${value}</textarea>`;
  const isLong = typeof schema.maxLength !== 'number' || schema.maxLength > 200;
  return isLong ? html`<textarea ${key} rows="1">${value}</textarea>` : html`<input ${key} value="${value}">`;
}

/** The submitted value without empty fields. Throws an error that names the invalid field. */
export function schemaInput(schema: Schema, form: URLSearchParams): Record<string, unknown> {
  const fields = fieldsOf(schema);
  if (fields === null) return asObject(jsonIn(form.get('all') ?? '{}', '/arguments'));
  const required = requiredOf(schema);
  const entries = fields.flatMap(([name, field]): [string, unknown][] => {
    const text = form.get(`in.${name}`) ?? '';
    if (text === '' && !(field.type === 'string' && required.includes(name))) return [];
    return [[name, read(field, text.replaceAll('\r\n', '\n'), `/arguments/${name}`)]];
  });
  return Object.fromEntries(entries);
}

function read(schema: Schema, text: string, pointer: string): unknown {
  const choice = choicesOf(schema)?.indexOf(text) ?? -1;
  if (choice !== -1) return (schema.type === 'boolean' ? [true, false] : (schema.enum as unknown[]))[choice];
  return schema.type === 'string' ? text : jsonIn(text, pointer);
}

function asObject(value: unknown): Record<string, unknown> {
  if (isSchema(value)) return value;
  throw unfit('/arguments', 'must be a JSON object');
}

/** Null if the schema has no properties. */
function fieldsOf({ properties }: Schema): [string, Schema][] | null {
  if (!isSchema(properties)) return null;
  const all = Object.entries(properties);
  return all.length === 0 || all.length > MOST_FIELDS
    ? null
    : all.map(([name, entry]) => [name, isSchema(entry) ? entry : {}]);
}

const requiredOf = ({ required }: Schema): unknown[] => (Array.isArray(required) ? required : []);

function choicesOf({ enum: values, type }: Schema): string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return Array.isArray(values) && values.length > 0 ? values.map(textOf) : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
