import { typeOf } from './schema-fields.ts';

/** Converts the JSON Schema of an object to form fields, and submitted fields to the input. Pure. */

type Schema = Record<string, unknown>;

type Way = 'line' | 'text' | 'whole' | 'number' | 'boolean' | 'choice' | 'json';

export interface InputField {
  name: string;
  label: string;
  description: string;
  way: Way;
  /** `array of string`. */
  type: string;
  is_required: boolean;
  /** The options of a choice, each as JSON. */
  choices: string[];
  schema: Schema;
}

/** Null if the schema has no properties: then the input is one JSON value. */
export function fieldsOf(schema: Schema | null): InputField[] | null {
  const properties = Object.entries(asObject(schema?.properties));
  if (schema === null || properties.length === 0 || properties.length > MOST_FIELDS) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return properties.map(([name, property]) => field(name, asObject(property), required.includes(name)));
}

const MOST_FIELDS = 100;
const MOST_CHOICES = 200;
/** Strings that may be longer get a text area. */
const LINE_CHARACTERS = 200;

function field(name: string, schema: Schema, is_required: boolean): InputField {
  const { title, description, enum: values, const: constant } = schema;
  const given = Array.isArray(values) ? values : constant === undefined ? [] : [constant];
  return {
    name,
    is_required,
    schema,
    type: typeOf(schema),
    label: typeof title === 'string' && title !== '' ? title : name,
    description: typeof description === 'string' ? description : '',
    choices: given.slice(0, MOST_CHOICES).map((value) => JSON.stringify(value)),
    way: given.length > 0 && given.length <= MOST_CHOICES ? 'choice' : wayOf(schema),
  };
}

function wayOf({ type, maxLength, format }: Schema): Way {
  if (type === 'integer') return 'whole';
  if (type === 'number' || type === 'boolean') return type;
  if (type !== 'string') return 'json';
  return format !== undefined || (typeof maxLength === 'number' && maxLength <= LINE_CHARACTERS) ? 'line' : 'text';
}

export type Written = Record<string, string>;

/** The field values for an input. Properties without a field are not shown. */
export function writtenOf(fields: readonly InputField[], input: unknown): Written {
  const given = asObject(input);
  const known = fields.filter(({ name }) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map((inputField) => [inputField.name, textOf(inputField, given[inputField.name])]));
}

/** Defaults and examples from the schema. */
export function presets(fields: readonly InputField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, schema: { default: preset, examples } }) => {
      const value = preset ?? (Array.isArray(examples) ? examples[0] : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const textOf = ({ way }: InputField, value: unknown): string =>
  way === 'json'
    ? JSON.stringify(value, null, 2)
    : way === 'choice' || typeof value !== 'string'
      ? JSON.stringify(value)
      : value;

export interface Fault {
  /** The name of a property; empty for the whole input. */
  name: string;
  detail: string;
}

/** An empty field is left out. A required string is empty only where its schema says that it may be. */
export function inputOf(fields: readonly InputField[], written: Written): { input: Schema; faults: Fault[] } {
  const input: Schema = {};
  const faults: Fault[] = [];
  for (const inputField of fields) {
    const text = written[inputField.name] ?? '';
    if (isEmpty(inputField, text)) {
      if (inputField.is_required) faults.push({ name: inputField.name, detail: 'Required.' });
      continue;
    }
    const value = parsed(inputField, text);
    if ('fault' in value) faults.push({ name: inputField.name, detail: value.fault });
    else
      Object.defineProperty(input, inputField.name, {
        value: value.value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return { input, faults };
}

/** Space is text, too. */
function isEmpty({ way, is_required, schema }: InputField, text: string): boolean {
  if (!is_required || (way !== 'text' && way !== 'line')) return text.trim() === '';
  return text === '' && schema.minLength !== 0;
}

/** Whether the control must be filled before the form is sent. */
export const mustFill = (inputField: InputField): boolean => inputField.is_required && isEmpty(inputField, '');

function parsed({ way, choices }: InputField, text: string): { value: unknown } | { fault: string } {
  if (way === 'line' || way === 'text') return { value: text };
  if (way === 'number' || way === 'whole') {
    const number = Number(text);
    if (!Number.isFinite(number)) return { fault: `Not a number: ${text}` };
    return way === 'whole' && !Number.isInteger(number) ? { fault: `Not a whole number: ${text}` } : { value: number };
  }
  if (way === 'choice' && !choices.includes(text)) return { fault: 'Choose one of the options.' };
  return readJson(text);
}

/** Any JSON value, or the parse error. */
export function readJson(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `Invalid JSON: ${(error as Error).message}. Put strings in quotes.` };
  }
}

const asObject = (properties: unknown): Schema =>
  typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? (properties as Schema) : {};
