import { type Json, objectOf, stringOf } from './history.ts';
import type { Values } from './values.ts';

/** Assigns the values of a message to an input schema where only one assignment is possible. Pure. */

export interface Fitted {
  input: unknown;
  /** Required members without a value, in schema order. */
  missing: Member[];
  /** How many values have no unambiguous place. */
  unplaced: number;
}

export interface Member {
  name: string;
  description: string;
}

/**
 * `before` has members of earlier messages. Without a schema, the input is the JSON, else the pairs, else the quoted
 * text.
 */
export function fitInput(schema: unknown, values: Values, before: Json = {}): Fitted {
  const { properties, required } = shapeOf(schema);
  if (properties.size === 0 && required.length === 0) return withoutSchema(values, before);
  const documents = [...values.documents];
  const at = documents.findIndex((document) => Object.keys(objectOf(document)).some((name) => properties.has(name)));
  const whole = at < 0 ? {} : objectOf(documents.splice(at, 1)[0]);
  const pairs = Object.entries(values.pairs).map(
    ([name, value]) => [name, typed(value, properties.get(name))] as const,
  );
  const members = new Map<string, unknown>([...Object.entries(before), ...Object.entries(whole), ...pairs]);
  const missing = () => required.filter((name) => !members.has(name));
  const place = (found: readonly unknown[], takes: (schema: Json, name: string) => boolean): number => {
    const [only, ...others] = missing().filter((name) => takes(properties.get(name) ?? {}, name));
    if (found.length !== 1 || only === undefined || others.length > 0) return found.length;
    members.set(only, found[0]);
    return 0;
  };
  const numbers = values.numbers.map(Number);
  const unplaced =
    place(values.urls, (member, name) => member.type === 'string' && (member.format === 'uri' || isUrlName(name))) +
    place(values.quoted, (member) => member.type === 'string') +
    place(numbers, ({ type }) => type === 'number' || (type === 'integer' && numbers.every(Number.isInteger))) +
    place(documents, ({ type }) => type === undefined || type === (Array.isArray(documents[0]) ? 'array' : 'object'));
  return {
    input: Object.fromEntries(members),
    missing: missing().map((name) => ({ name, description: stringOf(properties.get(name)?.description) })),
    unplaced,
  };
}

const isUrlName = (name: string): boolean => /(?:^|_)ur[li]$/i.test(name);

function withoutSchema({ documents, quoted, pairs }: Values, before: Json): Fitted {
  const members = { ...before, ...objectOf(documents[0]), ...pairs };
  const [value = members] = Object.keys(members).length > 0 ? [] : [...documents, ...quoted];
  return { input: value, missing: [], unplaced: 0 };
}

function shapeOf(schema: unknown): { properties: Map<string, Json>; required: string[] } {
  const { properties, required } = objectOf(schema);
  const known = Object.entries(objectOf(properties)).map(([name, member]) => [name, objectOf(member)] as const);
  const names = Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
  return { properties: new Map(known), required: names };
}

/** Converts the value of a `name=value` pair to the type of the schema, or leaves it as text. */
function typed(value: unknown, schema: Json | undefined): unknown {
  if (schema?.type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
