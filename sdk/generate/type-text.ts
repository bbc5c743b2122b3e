import type { Schema } from './document.ts';

/** JSON Schema as a TypeScript type. Keywords that only narrow a type's values, such as `maxLength`, say nothing here. */

/** `#/components/schemas/Item` is the type `Item`. */
export const nameOf = (ref: string): string => (ref.split('/').at(-1) as string).replace(/[^A-Za-z0-9_]/g, '_');

interface TextOptions {
  /** Input types: members may also be undefined. */
  sent?: boolean;
}

export function typeText(schema: Schema, options: TextOptions = {}): string {
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const any = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (any !== undefined) return union(any.map((schema) => typeText(schema, options)));
  if (Array.isArray(schema.allOf))
    return schema.allOf.map((schema: Schema) => grouped(typeText(schema, options))).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type }, options)));
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Uint8Array' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `${grouped(typeText((schema.items ?? {}) as Schema, options))}[]`;
    case 'object':
      return objectText(schema, options);
    default:
      return 'unknown';
  }
}

function union(texts: string[]): string {
  const different = [...new Set(texts.flatMap((text) => (text.includes('{') ? [text] : text.split(' | '))))];
  return different.includes('unknown') ? 'unknown' : different.join(' | ');
}

const grouped = (text: string): string => (/ [|&] /.test(text) ? `(${text})` : text);

function objectText(schema: Schema, options: TextOptions): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  const others = othersOf(schema);
  if (properties.length === 0)
    return others === null ? 'Record<string, never>' : `Record<string, ${typeText(others, options)}>`;
  const members = properties.map(([name, property]) =>
    memberText(name, typeText(property, options), {
      ...options,
      optional: !required.has(name),
      note: property.description,
    }),
  );
  // The index signature has to admit the members beside it, so it admits everything.
  if (others !== null && 'patternProperties' in schema) members.push('[name: string]: unknown');
  return block(members);
}

/** A line each: a compiler that writes declarations takes a comment within a line for that of the member before. */
export const block = (members: string[]): string => `{\n${members.join(';\n')}\n}`;

/** The schema of additional properties; null if there are none. */
function othersOf({ properties, patternProperties, additionalProperties }: Schema): Schema | null {
  const [pattern] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
  if (pattern !== undefined) return pattern;
  if (typeof additionalProperties === 'object') return additionalProperties as Schema;
  return additionalProperties === false || properties !== undefined ? null : {};
}

export function memberText(
  name: string,
  type: string,
  { optional, note, sent }: TextOptions & { optional: boolean; note?: unknown },
): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const wide = optional && sent === true && type !== 'unknown' ? `${type} | undefined` : type;
  return `${noteText(note)}${key}${optional ? '?' : ''}: ${wide}`;
}

/** A comment that no description can end. */
export const noteText = (note: unknown): string =>
  typeof note === 'string' && note !== '' ? `/** ${note.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n` : '';
