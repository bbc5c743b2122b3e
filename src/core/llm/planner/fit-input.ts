import type { Given } from './given-input.ts';
import { type Json, objectOf, stringOf } from './history.ts';

/** What a user gave, laid onto an input schema. Pure. */

export interface Fitted {
  input: unknown;
  /** Required members that nothing was given for, in the schema's order. */
  missing: Missing[];
}

export interface Missing {
  name: string;
  description: string;
}

/** Without a schema the input is what was given: JSON, else members by name, else text, else `{}`. */
export function fitInput(schema: unknown, given: Given, before: Json = {}): Fitted {
  const { properties, required } = shapeOf(schema);
  const members = { ...before, ...membersOf(given, properties, required) };
  const [whole] = given.documents;
  const bare = Object.keys(properties).length === 0 && Object.keys(members).length === 0;
  const input = bare ? (whole ?? (given.text === '' ? {} : given.text)) : members;
  const missing = required.filter((name) => !Object.hasOwn(members, name));
  const describe = (name: string): Missing => ({ name, description: stringOf(properties[name]?.description) });
  return { input, missing: bare && required.length === 0 ? [] : missing.map(describe) };
}

interface Shape {
  properties: Record<string, Json>;
  required: string[];
}

function shapeOf(schema: unknown): Shape {
  const { properties, required } = objectOf(schema);
  const known = Object.entries(objectOf(properties)).map(([name, it]) => [name, objectOf(it)] as const);
  const names = Array.isArray(required) ? required.filter((it): it is string => typeof it === 'string') : [];
  return { properties: Object.fromEntries(known), required: names };
}

function membersOf(given: Given, properties: Shape['properties'], required: string[]): Json {
  const { pairs, documents, text } = given;
  const labelled = labelledIn(text, properties);
  if (labelled !== null) return { [labelled.name]: typed(labelled.value, properties[labelled.name]) };
  const named = Object.entries(pairs).map(([name, value]) => [name, typed(value, properties[name])] as const);
  if (named.length > 0) return Object.fromEntries(named);
  const names = Object.keys(properties);
  const [whole] = documents;
  if (documents.length === 1 && isWhole(whole, names)) return whole as Json;
  // Several documents are the required members, one after the other.
  if (documents.length > 0 && documents.length === required.length)
    return Object.fromEntries(required.map((name, at) => [name, fitting(documents[at], properties[name])]));
  const [only] = required.length === 1 ? required : names.length === 1 ? names : [];
  if (only === undefined) return {};
  if (documents.length > 0) return { [only]: fitting(whole, properties[only]) };
  return text === '' ? {} : { [only]: typed(text, properties[only]) };
}

const isWhole = (value: unknown, names: string[]): boolean => {
  const keys = Object.keys(objectOf(value));
  return keys.length > 0 && (names.length === 0 || keys.some((it) => names.includes(it)));
};

/** `csv: a,b` and all lines below it, where the schema has a member of that name. */
function labelledIn(text: string, properties: Shape['properties']): { name: string; value: string } | null {
  const [label, name = ''] = /^([A-Za-z_][\w.-]{0,63})[ \t]{0,8}:(?:[ \t]{0,8}\n|\s)?/.exec(text) ?? [];
  return label === undefined || !Object.hasOwn(properties, name) ? null : { name, value: text.slice(label.length) };
}

/** A document where the schema wants text is its JSON. */
const fitting = (value: unknown, schema: Json | undefined): unknown =>
  schema?.type === 'string' && typeof value !== 'string' ? JSON.stringify(value) : value;

/** What was written, in the type that the schema wants; as it is where it does not read as such. */
function typed(value: unknown, schema: Json | undefined): unknown {
  if (typeof value !== 'string') return fitting(value, schema);
  const type = schema?.type;
  if (type === 'string' || type === undefined) return unquoted(value);
  if ((type === 'integer' || type === 'number') && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|yes|on|false|no|off)$/i.test(value)) return /^(true|yes|on)$/i.test(value);
  if (type === 'array') return value.split(',').map((it) => it.trim());
  return unquoted(value);
}

const unquoted = (text: string): string => /^(["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
